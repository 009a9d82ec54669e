/** The version of this package. A test compares it with package.json. */
export const version = '0.1.0'
