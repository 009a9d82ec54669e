import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseSettingFile } from '../../../src/settings/file.ts'
import { createServer, ownRows } from '../../compare/own-server.ts'
import { run, startCommand } from '../../support/cli/command.ts'
import { temporaryFile, temporaryFolder } from '../../support/files.ts'
import { serve } from '../../support/forwarding.ts'
import { startHttpServer } from '../../support/http-server.ts'

const quick = ['--key', 'phx_all', '--rate', '1000']

test('compare --target finds the settings of a server with reads only', async () => {
  const { url, simulator } = await serve({}, createServer({ 'errors.body': 'list' }))
  const folder = temporaryFolder()
  const [out, txt, xml] = ['settings.json', 'report.txt', 'report.xml'].map((name) =>
    join(folder, name),
  ) as [string, string, string]
  const files = ['--out', out, '--report', txt, '--report', xml]
  const kinds = ['--fail-on', 'source', '--fail-on', 'documented']
  const flags = ['--target', url, '--key', 'annotation:read, annotation:write=phx_annotations']

  const { code, stdout, stderr } = await run(['compare', ...quick, ...flags, ...files, ...kinds])

  expect(code).toBe(1)
  expect(stderr).toContain(`The settings are in ${out}.\n`)
  expect(stdout).toContain('errors.body  list, not envelope (source).')
  expect(stdout).toMatch(/\n\S.*\n(?: {2}.*\n){3} {2}and \d+ more\n/)
  expect(stdout).toMatch(
    /^A comparison with --allow-writes, --key old=KEY, .* may show what stays/m,
  )
  expect(stdout).toMatch(/\nNot shown by any response\n(.*\n)*annotations\.restore\n/)
  expect(parseSettingFile(JSON.parse(readFileSync(out, 'utf8')), out)).toMatchObject({
    'errors.body': 'list',
  })
  expect(readFileSync(txt, 'utf8')).toContain('\nerrors.body  list, not envelope')
  expect(readFileSync(xml, 'utf8')).toContain('<testsuites name="understudy compare"')
  const methods = new Set(simulator.journal.find().map(({ method }) => method))
  expect([...methods].sort()).toEqual(['GET'])
})

test('Ctrl-C removes the rows of the comparison, and keeps the settings of an earlier one', async () => {
  const { url, simulator } = await serve({}, createServer())
  const content = { settings: { 'errors.body': 'html' }, open: {} }
  const folder = temporaryFolder({ 'settings.json': content })
  const [out, report] = [join(folder, 'settings.json'), join(folder, 'r.json')]
  const rows = simulator.world.annotations.list().length
  const files = ['--out', out, '--report', report]
  const flags = ['--key', 'phx_all', '--rate', '200', '--allow-writes', ...files]
  const command = startCommand(['compare', '--target', url, ...flags])
  await expect.poll(() => simulator.world.annotations.list().length).toBeGreaterThan(rows)

  const { code, stdout, stderr } = await command.stop('SIGINT')

  expect(code).toBe(130)
  expect(stdout).toContain('The comparison ended early. The comparison was interrupted.\n')
  expect(stderr).toBe(
    `The report is in ${report}.\n${out} was not written, because the comparison ended early.\n`,
  )
  expect(JSON.parse(readFileSync(out, 'utf8'))).toEqual(content)
  expect(ownRows(simulator)).toEqual([])
})

test('a value as expected ends compare with 0', async () => {
  const { url } = await serve({}, createServer({ 'errors.body': 'list' }))
  const settings = temporaryFile({ settings: { 'errors.body': 'list' } })
  const flags = [...quick, '--max-requests', '60', '--settings', settings]

  const { code, stdout } = await run(['compare', '--target', url, ...flags])

  expect(code).toBe(0)
  expect(stdout).toMatch(/, and \d+ requests could not be\.\n[\s\S]*\nAs .* and 1 setting\n/)
})

test('a row that may be left is named, and ends compare with 1', async () => {
  const simulator = createServer()
  const url = await startHttpServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    const isRefused = request.method === 'DELETE' || body === '{"deleted":true}'
    const { url: path = '', method = 'GET', headers } = request
    const init = { method, headers: headers as Record<string, string>, ...(body && { body }) }
    const answer = isRefused
      ? new Response(null, { status: 403 })
      : await simulator.fetch(path, init)
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text())
  })
  const flags = ['--allow-writes', '--max-requests', '80']

  const { code, stdout, stderr } = await run(['compare', '--target', url, ...quick, ...flags])

  const sentence = 'An annotation could not be removed. Remove it with PATCH /api/projects/'
  expect(code).toBe(1)
  for (const text of [stdout, stderr]) expect(text).toContain(sentence)
})

test.each([
  ['admin=phx_all', ['--key', 'phx_all'], /admin/],
  ['none=phx_none', [], /^The server refuses the key for GET .* \(403\)\. Check --key\.\n$/],
  ['phx_wrong', [], /^The server refuses the key for GET .* \(401\)\. Check --key\.\n$/],
])('compare with the key %s and %j ends with 2, in one line', async (key, more, message) => {
  const { url } = await serve({}, createServer())

  const flags = ['--target', url, '--key', key, ...more, '--rate', '1000']
  const { code, stdout, stderr } = await run(['compare', ...flags])

  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toMatch(message)
})

test.each([
  ['a file server', 404, '<h1>Not found</h1>', /: GET .* returns 404\. Check --target/],
  ['another API', 200, '{"hello": 1}', /: GET .* returns 200 without a list/],
  ['a moved server', 301, '', /returns 301 to https:\/\/a\.example/],
  ['a server that fails', 503, '', /: GET .* returns 503\. Try again later/],
  [
    'a server that does not respond',
    0,
    '',
    /^The server did not respond: the request failed \(UND_ERR_SOCKET\)\. Look into the log/,
  ],
])('%s ends compare with 4, in one sentence', async (_name, status, body, message) => {
  const location = status === 301 ? { location: 'https://a.example' } : {}
  const url = await startHttpServer((_, response) => {
    if (status === 0) response.destroy()
    else response.writeHead(status, location).end(body)
  })

  const { code, stdout, stderr } = await run(['compare', '--target', url, ...quick])

  expect(stderr).toMatch(message)
  expect([code, stdout]).toEqual([4, ''])
})
