import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createCertificates } from '../../../src/cli/intercept.ts'
import { quoteForShell } from '../../../src/utils/escape.ts'
import { run } from '../../support/cli/command.ts'
import type { CommandResult } from '../../support/cli/output.ts'
import { temporaryFile } from '../../support/files.ts'
import { startHttpServer } from '../../support/http-server.ts'

const host = 'app.example.invalid'
const page = `https://${host}/api/projects/1/annotations/?limit=2`

const isMissing = (tool: string) => spawnSync(tool, ['--version']).status !== 0
/** Skipped where the tool is missing. */
const curlTest = test.skipIf(isMissing('curl'))
const pythonTest = test.skipIf(isMissing('python3'))
/** `fetch` of Node uses a proxy of the environment since Node 22.21 and 24. */
const nodeTest = test.skipIf(!process.allowedNodeEnvironmentFlags.has('--use-env-proxy'))

/** Runs a shell script with exec in this process. Its output goes to files, and is returned with that of exec. */
async function exec(
  script: string,
  variables: Record<string, string> = {},
  flags: readonly string[] = ['--intercept', host],
): Promise<CommandResult> {
  const [out, err] = [temporaryFile(''), temporaryFile('')]
  const { code, stdout, stderr } = await run(
    ['exec', ...flags, '--', 'sh', '-c', `{ ${script}\n} > ${out} 2> ${err}`],
    variables,
  )
  const [shown, errors] = [out, err].map((file) => readFileSync(file, 'utf8'))
  return { code, stdout: stdout + shown, stderr: stderr + errors }
}

/** Runs a shell script with the proxy. In it, `ask` is curl with a key. */
const shell = (script: string, variables: Record<string, string> = {}) =>
  exec(
    `ask() { curl -sS --max-time 20 -H "Authorization: Bearer $UNDERSTUDY_KEY" "$@"; }; ${script}`,
    variables,
  )

/** A script that runs a program. */
const program = (...line: readonly string[]) => line.map((word) => quoteForShell(word)).join(' ')

curlTest('curl reaches the simulator under a hard-coded host, and links stay there', async () => {
  const { code, stdout, stderr } = await shell(
    `ask '${page}' && ask 'http://${host}/api/projects/'`,
  )

  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toContain(`"next":"${page}&offset=2"`)
  expect(stdout).toContain('"name":"Web shop"')
})

pythonTest('Python reaches the simulator under a hard-coded host', async () => {
  const python = `
import json, os, urllib.request
headers = {"Authorization": "Bearer " + os.environ["UNDERSTUDY_KEY"]}
request = urllib.request.Request("${page}", headers=headers)
print(json.load(urllib.request.urlopen(request, timeout=20))["next"])`

  const { stdout, stderr } = await exec(program('python3', '-c', python))

  expect([stdout, stderr]).toEqual([`${page}&offset=2\n`, ''])
})

nodeTest('fetch of Node reaches the simulator under a hard-coded host', async () => {
  const client = `
    const headers = { authorization: 'Bearer ' + process.env.UNDERSTUDY_KEY }
    console.log((await (await fetch('${page}', { headers })).json()).next)`

  const { stdout } = await exec(program(process.execPath, '--input-type=module', '-e', client))

  expect(stdout).toBe(`${page}&offset=2\n`)
})

curlTest(
  '--forward gets other paths of the host over HTTP and HTTPS, also with a dot',
  async () => {
    const forward = await startHttpServer((_request, response) => void response.end('service '))
    const script = `for base in http://${host} https://${host} http://${host}.; do curl -sS --max-time 20 $base/users; done`

    const { stdout, stderr } = await exec(script, {}, [
      ...['--intercept', `${host}.`],
      ...['--forward', forward],
    ])

    expect(stdout).toBe('service service service ')
    expect(stderr).toBe(
      'The command sent no request to the API at UNDERSTUDY_URL. --intercept needs a client that uses the proxy of its environment, as Node does from 22.21 and 24.5 on.\n',
    )
  },
)

curlTest('other hosts are refused, each with one message that says what to do', async () => {
  const { code, stderr } = await shell(
    `ask https://other.invalid/ ; ask https://other.invalid/ ; ask -f http://third.invalid/`,
  )

  expect(code).toBe(22)
  const advice = (name: string) =>
    `The command sent a request to ${name}, but --intercept covers only ${host}. Add --intercept ${name}, or let such requests through with NO_PROXY=${name}.`
  const messages = stderr.split('\n').filter((line) => line.startsWith('The command'))
  expect(messages).toEqual([
    advice('other.invalid'),
    advice('third.invalid'),
    expect.stringMatching(/^The command sent no request to the API at UNDERSTUDY_URL\./),
  ])
})

curlTest(
  'this machine and NO_PROXY need no proxy, unless NO_PROXY covers the host itself',
  async () => {
    const url = await startHttpServer((_request, response) => void response.end('local '))

    const { stdout } = await shell(`ask ${url} && ask '${page}' -o /dev/null && echo "$NO_PROXY"`, {
      NO_PROXY: 'registry.test,.example.invalid, *',
    })

    expect(stdout).toBe('local localhost,127.0.0.1,::1,registry.test\n')
  },
)

curlTest('the control API cannot be reached under the host', async () => {
  const { stdout } = await shell(`ask 'https://${host}/__admin/keys'`)

  expect(JSON.parse(stdout)).toMatchObject({
    code: 'permission_denied',
    detail: `The control API requires the host localhost or 127.0.0.1, got ${host}.`,
  })
})

test('only this machine reaches the proxy, and no private key is written', async () => {
  const client = `
    const { readdirSync, readFileSync, statSync } = require('node:fs')
    const { dirname } = require('node:path')
    const { env } = process
    const file = env.NODE_EXTRA_CA_CERTS
    const same = [env.SSL_CERT_FILE, env.REQUESTS_CA_BUNDLE, env.CURL_CA_BUNDLE].every((f) => f === file)
    const texts = readdirSync(dirname(file)).map((name) => readFileSync(dirname(file) + '/' + name, 'utf8'))
    console.log(JSON.stringify({
      file, same, modes: [file, dirname(file)].map((path) => statSync(path).mode & 0o777),
      hasKey: texts.some((text) => text.includes('PRIVATE KEY')),
      proxy: env.HTTPS_PROXY, http: env.http_proxy, node: env.NODE_USE_ENV_PROXY,
    }))`

  const { stdout } = await exec(program(process.execPath, '-e', client))

  const seen = JSON.parse(stdout)
  expect(seen).toMatchObject({ same: true, modes: [0o600, 0o700], hasKey: false, node: '1' })
  expect(seen.proxy).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  expect(seen.http).toBe(seen.proxy)
  expect(existsSync(seen.file)).toBe(false)
})

test.each(['https://app.example.com', 'localhost', '127.0.0.1', '', '*.example.com', 'a:443'])(
  '--intercept %j ends with 2',
  async (value) => {
    const { code, stderr } = await run(['exec', '--intercept', value, '--', 'true'])

    expect([code, stderr]).toEqual([
      2,
      `Failed to read --intercept (or UNDERSTUDY_INTERCEPT): expected the name of a host, such as app.example.com, got ${JSON.stringify(value)}.\n`,
    ])
  },
)

test('a missing package is named, with the command that installs it', async () => {
  const missing = Object.assign(new Error('missing'), { code: 'ERR_MODULE_NOT_FOUND' })

  await expect(createCertificates([host], () => Promise.reject(missing))).rejects.toThrow(
    '--intercept requires the package @peculiar/x509. Run npm install --save-dev @peculiar/x509@1.',
  )
})
