/** Waits until the process is told to end: by Ctrl-C, or by whoever started it. */
export function waitForSignal(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve())
    process.once('SIGTERM', () => resolve())
  })
}
