/** What the versions of MSW are called that this package works with. */
export const supportedMswVersions: string = '2.12 or newer, or 3'

/** Whether this package works with a version of MSW. @example isSupportedMsw('2.11.6') // false */
export function isSupportedMsw(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major === 3 || (major === 2 && minor >= 12)
}

/**
 * The version of MSW that a worker file comes from, which MSW writes at its top; null for a text that is no worker
 * file of MSW.
 *
 * @example workerVersionOf("const PACKAGE_VERSION = '2.15.0'\nconst INTEGRITY_CHECKSUM = '03cb…'") // '2.15.0'
 */
export function parseWorkerVersion(text: string): string | null {
  if (!/^const INTEGRITY_CHECKSUM = /m.test(text)) return null
  // Up to 2.3 it stood in the comment alone.
  const found =
    /^const PACKAGE_VERSION = ['"]([^'"]+)['"]/m.exec(text) ??
    /Mock Service Worker \(([^)]+)\)/.exec(text)
  return found?.[1] ?? null
}
