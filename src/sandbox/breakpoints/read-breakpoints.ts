import type { OnAbort } from '../../utils/wait.ts'
import type { Breakpoints } from './breakpoints.ts'

/**
 * Reads the breakpoints and the requests that they hold, at once or after a wait.
 *
 * @param version waits until the version is another one; null: until a request is held
 * @param milliseconds the longest time to wait
 */
export async function readBreakpoints(
  breakpoints: Breakpoints,
  version: number | null,
  milliseconds: number,
  onAbort?: OnAbort,
) {
  const isDue = (): boolean =>
    version === null ? breakpoints.held().length > 0 : breakpoints.version !== version
  await breakpoints.waitUntil(isDue, milliseconds, onAbort)
  const held = breakpoints.held().map((request) => request.toJSON())
  return { version: breakpoints.version, breakpoints: breakpoints.list(), held }
}
