/** The lines of a request log without the times that differ from run to run. */
export function withoutTimes(log: string): string {
  return log.replace(/^\d\d:\d\d:\d\d /gm, '').replace(/ [\d.]+ ms/g, '')
}
