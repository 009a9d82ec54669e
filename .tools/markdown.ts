// The Markdown files of this repository, for `npm run docs` and for tests.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the repository. */
export const root = fileURLToPath(new URL('..', import.meta.url))

/** The documents for users: those in the root, and those of folders. */
export const documents: readonly string[] = [
  'README.md',
  'TASKS.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  ...['fixtures', 'scenarios', 'src'].flatMap(findDocuments),
]

/** The documents for contributors, most of which are not in the package. */
export const contributorDocuments: readonly string[] = [
  'AGENTS.md',
  ...findDocuments('test').filter((document) => !document.startsWith('test/consumers/')),
]

function findDocuments(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .sort()
}

export function readDocument(document: string): string {
  return readFileSync(join(root, document), 'utf8')
}
