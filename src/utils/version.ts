/** The version of this package. A test compares it with package.json. */
export const version = '0.1.0'

/** The name of this package, by which a server introduces itself. */
export const packageName: 'understudy-api' = 'understudy-api'
