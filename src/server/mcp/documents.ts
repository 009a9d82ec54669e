import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { packageFile } from '../../utils/files.ts'

/** The documents of the package that agents can read. */
const documents: Readonly<Record<string, string>> = {
  'README.md': 'Start here: use it in tests, in a browser and as a server.',
  'src/server/mcp/llms.txt': 'All documents, commands and tools, with one line each.',
  'src/api/README.md': 'The resources, operations, keys and errors of the simulated API.',
  'src/policies/README.md': 'What the documentation leaves open, each value with its evidence.',
  'src/sandbox/README.md': 'Faults, second actors, the journal and snapshots.',
  'src/integrations/README.md': 'Test runners and browsers.',
  'src/cli/README.md': 'The commands and their flags.',
  'src/server/control/README.md': 'The control API.',
  'scenarios/README.md': 'Scenarios: requests with their expected responses.',
}

const scheme = 'understudy://docs/'
const mimeType = 'text/markdown'

/** A document as a resource of the Model Context Protocol. */
export interface DocumentResource {
  readonly uri: string
  readonly name: string
  readonly description: string
  readonly mimeType: string
}

/** The text of a resource. */
export interface DocumentText extends Pick<DocumentResource, 'uri' | 'mimeType'> {
  readonly text: string
}

/** Lists the documents. A container image has few of them. */
export function listDocuments(): DocumentResource[] {
  return Object.entries(documents)
    .filter(([name]) => existsSync(packageFile(name)))
    .map(([name, description]) => ({ uri: scheme + name, name, description, mimeType }))
}

/** Reads a listed document. Returns null for any other address. */
export async function readDocument(uri: string): Promise<DocumentText | null> {
  const document = listDocuments().find((document) => document.uri === uri)
  if (!document) return null
  return { uri, mimeType, text: await readFile(packageFile(document.name), 'utf8') }
}
