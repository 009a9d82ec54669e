/**
 * What makes the HTTP handlers of MSW. `.tools/msw-parts.mjs` replaces this module in the package, since `import 'msw'` takes as
 * long as the rest of it. So `http` is there when a function runs, not yet while modules load.
 */
export { http } from 'msw'
