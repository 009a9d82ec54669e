export const supportedMswVersions: string = '2.12 or newer, or 3'

/** Whether this package supports a version of MSW. @example isSupportedMsw('2.11.6') // false */
export function isSupportedMsw(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major === 3 || (major === 2 && minor >= 12)
}

/** Reads the MSW version of a worker file. Returns null for any other text. */
export function parseWorkerVersion(text: string): string | null {
  if (!/^const INTEGRITY_CHECKSUM = /m.test(text)) return null
  // Before MSW 2.4 only a comment names the version.
  const match =
    /^const PACKAGE_VERSION = ['"]([^'"]+)['"]/m.exec(text) ??
    /Mock Service Worker \(([^)]+)\)/.exec(text)
  return match?.[1] ?? null
}
