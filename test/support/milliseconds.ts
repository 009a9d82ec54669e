/** How long a function takes. */
export function milliseconds(run: () => unknown): number {
  const start = performance.now()
  run()
  return performance.now() - start
}
