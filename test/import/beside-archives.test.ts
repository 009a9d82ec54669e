import { execFileSync } from 'node:child_process'
import { readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { annotationBody } from '../support/api/annotation.ts'
import { temporaryFolder } from '../support/files.ts'
import { archive, entry } from '../support/traffic.ts'
import { importNamed, importText } from './import-text.ts'

const isRoot = process.getuid?.() === 0
const archiveOf = (name: string) =>
  archive(entry({ response: { status: 200, content: { size: -1, _file: name } } }))

/** A folder with an archive, and a file outside of it. */
function arrange(name: string): { outer: string; folder: string; har: string } {
  const outer = temporaryFolder({ 'secret.json': { stolen: 'text' } })
  const folder = join(outer, 'archive')
  execFileSync('mkdir', ['-p', join(folder, 'bodies')])
  const har = join(folder, 'a.har')
  writeFileSync(har, archiveOf(name.replace('OUTER', outer)))
  writeFileSync(join(folder, 'bodies', 'own.json'), '{"own": "text"}')
  return { outer, folder, har }
}

type Case = [what: string, name: string, make?: (folder: string) => void]

const device: Case = [
  'a device without an end',
  'zero',
  (folder) => execFileSync('mknod', [`${folder}/zero`, 'c', '1', '5']),
]

test.each<Case>([
  ['a name that leads out of the folder', '../secret.json'],
  ['a name that leads out and in again', 'bodies/../../secret.json'],
  ['an absolute name', 'OUTER/secret.json'],
  ['a link out of the folder', 'link', (folder) => symlinkSync('../secret.json', `${folder}/link`)],
  ['a folder that is a link', 'up/secret.json', (folder) => symlinkSync('..', `${folder}/up`)],
  ['the folder', '.'],
  ['a missing file', 'missing.json'],
  ['a pipe', 'pipe', (folder) => execFileSync('mkfifo', [`${folder}/pipe`])],
  ...(isRoot ? [device] : []),
])('no body is read from beside an archive: %s', async (_, name, make) => {
  const { folder, har } = arrange(name)
  make?.(folder)

  const { text, says } = await importNamed(har)

  expect([text.includes('stolen'), says.includes('1 request')]).toEqual([false, true])
})

test('a body of more than 8 MiB beside an archive is left out', async () => {
  const { folder, har } = arrange('large')
  writeFileSync(join(folder, 'large'), '')
  truncateSync(join(folder, 'large'), 9 * 2 ** 20)

  expect((await importNamed(har)).warns).toContain('body of 9437184 bytes')
})

test('a body can come from a folder beside an archive, and through a link within it', async () => {
  const { folder, har } = arrange('link')
  symlinkSync('bodies/own.json', `${folder}/link`)

  expect((await importNamed(har)).text).toContain('"own"')
})

test('both bodies are read from the files that Playwright writes', async () => {
  const { folder, har } = arrange('')
  const mimeType = 'application/json'
  const request = { method: 'POST', postData: { mimeType, _file: 'bodies/own.json' } }
  const response = { status: 201, content: { size: -1, _file: 'received.json' } }
  writeFileSync(join(folder, 'received.json'), JSON.stringify(annotationBody({ id: 9 })))
  writeFileSync(har, archive(entry({ request, response })))

  expect((await importNamed(har)).scenario.steps).toMatchObject([
    { body: { own: 'text' }, expect: { exact_body: { scope: 'dashboard_item' } } },
  ])
})

test('an archive from stdin has no folder, so that no file of the working directory is read', async () => {
  const { folder, har } = arrange('bodies/own.json')
  const before = process.cwd()
  onTestFinished(() => process.chdir(before))
  process.chdir(folder)

  const { text } = await importText(readFileSync(har, 'utf8'), {}, 'stdin', true)

  expect(text).not.toContain('"own"')
})
