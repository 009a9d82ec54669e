import { root } from './cli.ts'
import { temporaryFile } from './files.ts'

/** Where annotations are. */
export const list = '/api/projects/1/annotations/'
/** A story of the package. */
export const story = `${root}scenarios/soft-delete-and-restore.json`

/** A file with a scenario of these steps. */
export const file = (steps: unknown, more: object = {}): string =>
  temporaryFile(JSON.stringify({ title: 'A story', world: 'default', steps, ...more }))

/** Reads one annotation. */
export const read = { title: 'read <it>', as: 'all', method: 'GET', path: `${list}1/` }
/** The same, and not what it is answered. */
export const wrong = { ...read, expect: { status: 200, body: { content: 'Release 2.0' } } }
