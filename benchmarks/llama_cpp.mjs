// Tokens a second that llama.cpp writes: node llama_cpp.mjs MODEL.gguf TOKENS THREADS, in a folder with node-llama-cpp.
import { getLlama, LlamaCompletion } from "node-llama-cpp";

const [modelPath, tokens, threads] = process.argv.slice(2);
const llama = await getLlama({ gpu: false, build: "never", logLevel: "error", maxThreads: Number(threads) });
const model = await llama.loadModel({ modelPath });
const context = await model.createContext({ contextSize: 1024, threads: Number(threads) });
const completion = new LlamaCompletion({ contextSequence: context.getSequence() });
const times = [];
await completion.generateCompletion("Once upon a time", {
  maxTokens: Number(tokens),
  temperature: 0,
  onToken: (written) => written.forEach(() => times.push(performance.now())),
});
const seconds = (times.at(-1) - times[0]) / 1000; // without the prompt
console.log(JSON.stringify({ written: times.length, perSecond: (times.length - 1) / seconds }));
process.exit(0);
