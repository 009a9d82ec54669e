/** The version of this package, which a test holds equal to that of its package.json. */
export const version = '0.1.0'
