"""A live calculation in a page: where its numbers stand, and what a hand does to them."""

from typing import Any


class Sheet:
    """A sheet in a page, and the places on it."""

    def __init__(self, page: Any, root: Any) -> None:
        self.page, self.root = page, root

    def cell(self, table: str, row: int, column: int) -> Any:
        return self.root.locator(f"[data-table={table}] tbody tr").nth(row).locator("td").nth(column)

    def table(self, name: str) -> list[list[str]]:
        rows = self.root.locator(f"[data-table={name}] tbody tr").all()
        return [row.locator("td").all_text_contents() for row in rows]

    def said(self, what: str) -> str:
        return self.root.locator(f".{what}").first.text_content()

    def press(self, name: str) -> None:
        self.root.get_by_role("button", name=name, exact=True).click()

    def open(self, stage: str) -> None:
        if (more := self.root.get_by_role("button", name="All steps")).is_visible():
            more.click()
        self.root.get_by_role("tab", name=stage, exact=True).click()

    def type(self, table: str, row: int, column: int, text: str) -> None:
        self.cell(table, row, column).focus()
        self.page.keyboard.type(text)
        self.page.keyboard.press("Enter")

    def drag(self, table: str, row: int, column: int, pixels: int) -> None:
        box = self.cell(table, row, column).bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        self.page.mouse.move(x + pixels, y, steps=6)
        self.settle()
        self.page.mouse.up()

    def settle(self) -> None:
        """Wait for the frame in which a change is shown."""
        self.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def lit(self, name: str) -> set[tuple[str, int, int]]:
        found = self.root.locator("table").evaluate_all(
            """(tables, name) => tables.flatMap((table) => [...table.tBodies[0].rows].flatMap((row, i) =>
              [...row.querySelectorAll('td')].flatMap((td, j) =>
                td.classList.contains(name) ? [[table.dataset.table, i, j]] : [])))""",
            name,
        )
        return {(table, i, j) for table, i, j in found}
