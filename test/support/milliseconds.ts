/** The CPU time that a function takes, which does not depend on what else the machine does. */
export function milliseconds(run: () => unknown): number {
  const start = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1_000
}
