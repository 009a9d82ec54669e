/** What the versions of MSW are called that this package works with. */
export const supportedMswVersions: string = '2.12 or newer, or 3'

/** Whether this package works with a version of MSW. @example isSupportedMsw('2.11.6') // false */
export function isSupportedMsw(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major === 3 || (major === 2 && minor >= 12)
}
