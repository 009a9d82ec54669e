/** What the command line ends with. */
export const exitCodes = { ok: 0, failed: 1, badUse: 2, portTaken: 3 } as const

/** Tells on stderr why a command failed, never with a stack, and gives the exit code for it. */
export function exitCodeOf(error: unknown): number {
  const { name, code, message, port } = error as Error & { code?: string; port?: number }
  if (code === 'EADDRINUSE') {
    console.error(
      `Failed to listen on port ${port}: expected a free port, got one that is taken. ` +
        'Choose another with --port, or any free one with --port 0.',
    )
    return exitCodes.portTaken
  }
  console.error(message)
  // By name: the error may come from another copy of our code, since the bin is a bundle.
  return name === 'UsageError' ? exitCodes.badUse : exitCodes.failed
}
