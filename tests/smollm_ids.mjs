// Cut texts as llama.cpp does: node smollm_ids.mjs MODEL.gguf < texts.json > ids.json
// Needs `npm install --ignore-scripts node-llama-cpp@3.22.1` in the folder where it lies.
import { readFileSync } from "node:fs";
import { getLlama } from "node-llama-cpp";

const llama = await getLlama({ gpu: false, build: "never" });
const model = await llama.loadModel({ modelPath: process.argv[2], vocabOnly: true });
const texts = JSON.parse(readFileSync(0, "utf-8"));
const ids = Object.entries(texts).map(([name, text]) => [name, model.tokenize(text, true)]);
console.log(JSON.stringify(Object.fromEntries(ids)));
process.exit(0);
