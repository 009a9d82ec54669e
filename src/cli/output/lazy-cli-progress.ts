// A file of its own, because esbuild gives `import()` of a CommonJS package only its default export if it splits the
// bundle (https://github.com/evanw/esbuild/issues/3245).
export { Presets, SingleBar } from 'cli-progress'
