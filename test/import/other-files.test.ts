import { expect, test } from 'vitest'
import { createSimulator } from '../../src/index.ts'
import { annotationsPath } from '../support/api/paths.ts'
import { importText } from './import-text.ts'

const simulator = createSimulator()
await simulator.fetch(annotationsPath)
const entries = simulator.journal.find()
const lines = entries.map((entry) => JSON.stringify(entry)).join('\n')

test.each<[kind: string, file: unknown]>([
  ['a cassette of VCR', 'interactions:\n- request:\n'],
  ['a session of Proxyman', [{ request: { fullPath: '/api/' } }]],
  ['a session of Charles', [{ scheme: 'https', host: 'api.example.com', request: {} }]],
  ['compressed with gzip', '\x1f\ufffd'],
  ['a journal. Export it as a HAR archive', entries],
  ['a journal. Export it as a HAR archive', lines],
  ['a contract of Pact', { consumer: {}, provider: {}, interactions: [] }],
])('a file is refused as %s', async (kind, file) => {
  const text = typeof file === 'string' ? file : JSON.stringify(file)

  const imported = importText(text, {}, 'other.json')

  const message = expect.stringContaining(`other.json is ${kind}`)
  await expect(imported).rejects.toMatchObject({ message })
})
