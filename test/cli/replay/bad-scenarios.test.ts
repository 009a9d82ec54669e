import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { expect, onTestFinished, test } from 'vitest'
import { run } from '../../support/cli/command.ts'
import { temporaryFile, temporaryFolder } from '../../support/files.ts'

const read = { as: 'all', method: 'GET', path: '/api/projects/1/annotations/1/' }
const scenario = (...steps: unknown[]) => JSON.stringify({ title: 'A story', steps })

test.each([
  ['a file that was cut off', scenario(read).slice(0, 40), ' is not valid JSON: line '],
  ['an empty file', '', ' is not valid JSON: it is empty.'],
  ['a list', '[]', 'scenario: expected an object with title and steps, got []'],
  [
    'an archive of a browser',
    JSON.stringify({ log: { version: '1.2', entries: [] } }),
    'expected a scenario, got an archive in the format HAR. Import it first: understudy import ',
  ],
  [
    'a file of a later version',
    JSON.stringify({ format_version: 9, title: 'A story', steps: [read] }),
    'format_version: expected at most 1, got 9: a later version of understudy-api made this file',
  ],
  [
    'a step of an unknown kind',
    scenario(read, { forget: 'fault-1' }),
    'steps[1]: expected a step with one of method, rows, update, delete, world, ',
  ],
  [
    'a pointer that is none',
    scenario({ ...read, save: { id: 'results.0.id' } }),
    'steps[0].save.id: expected a JSON Pointer such as /results/0/id, got "results.0.id"',
  ],
  [
    'values that are saved in a circle',
    scenario(
      { ...read, path: '/{b}', save: { a: '/id' } },
      { ...read, path: '/{a}', save: { b: '/id' } },
    ),
    'steps[0].path: expected a value that a step before has saved, got {b}, which steps[1] saves from what this step saves: a circle',
  ],
  [
    'bytes that are none',
    scenario({ ...read, method: 'POST', base64: '...' }),
    'steps[0].base64: expected bytes in base64, got "..."',
  ],
  [
    'a body in two forms',
    scenario({ ...read, method: 'POST', base64: 'AA==', text: '' }),
    'steps[0].base64: expected text or base64, got both',
  ],
])('%s ends with 2, and one paragraph names the file and the field', async (_what, text, told) => {
  const file = temporaryFile(text)

  const { code, stdout, stderr } = await run(['replay', file])

  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toContain(told)
  expect(stderr).toContain(file)
  expect(stderr.trim().split('\n').length).toBeLessThanOrEqual(2)
})

test('a pointer that finds nothing is a difference, and what needed it is left out', async () => {
  const story = scenario({ ...read, save: { id: '/no/such/id' } }, { ...read, path: '/{id}' }, read)

  const { code, stdout } = await run(['replay', temporaryFile(story)])

  expect(code).toBe(1)
  expect(stdout).toContain(`      save.id
        expected a value at /no/such/id
        got      nothing
`)
  expect(stdout).toContain(
    '  - 2 GET /{id}\n      step.path\n        expected the value {id}, which a step before saves\n        got      nothing\n  ✓ 3 ',
  )
})

test.each([
  ['a service that keys are given for', ['--key', 'phx_all']],
  ['a server that may be ours', []],
])('%s behind an untrusted certificate ends with 4', async (_what, flags) => {
  const url = await selfSigned()

  const { code, stderr } = await run([
    'replay',
    temporaryFile(scenario(read)),
    '--target',
    url,
    ...flags,
  ])

  expect(code).toBe(4)
  expect(stderr).toContain(
    `Failed to reach ${url}: expected a server that answers, got an untrusted certificate (DEPTH_ZERO_SELF_SIGNED_CERT). ` +
      'Check the address, or name the certificate in NODE_EXTRA_CA_CERTS.',
  )
})

/** A service over TLS, with a certificate of its own making. */
async function selfSigned(): Promise<string> {
  const folder = temporaryFolder()
  const [key, cert] = [`${folder}/key.pem`, `${folder}/cert.pem`]
  writeFileSync(`${folder}/none.cnf`, '[req]\ndistinguished_name = name\n[name]\n')
  const flags = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=localhost']
  const files = ['-keyout', key, '-out', cert, '-config', `${folder}/none.cnf`]
  execFileSync('openssl', ['req', ...flags, ...files], { stdio: 'ignore' })
  const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (_, answer) =>
    answer.end('{}'),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `https://127.0.0.1:${(server.address() as { port: number }).port}`
}
