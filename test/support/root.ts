import { fileURLToPath } from 'node:url'

/** The folder of the repository, with a slash at its end. */
export const root: string = fileURLToPath(new URL('../../', import.meta.url))

/** The built command line. */
export const bin = `${root}dist/understudy.js`
