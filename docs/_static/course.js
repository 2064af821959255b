// The explorers look for the theme where most Sphinx themes note it, on <html>; this one notes it on <body>.
const mirror = () => { document.documentElement.dataset.theme = document.body.dataset.theme; };
new MutationObserver(mirror).observe(document.body, { attributeFilter: ["data-theme"] });
mirror();
