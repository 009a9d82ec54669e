import { expect, onTestFinished, test } from 'vitest'
import { listen } from '../../src/server/listen.ts'
import { createSimulator } from '../../src/simulator.ts'
import { authorization, jsonHeaders } from '../support/api/headers.ts'
import { annotationsPath, noon } from '../support/api/paths.ts'
import { run, startCommand } from '../support/cli/command.ts'
import { outputOf, startProcess, waitForExit } from '../support/cli/process.ts'

async function startServer() {
  const simulator = createSimulator({ clock: noon })
  const server = await listen(simulator)
  onTestFinished(() => server.close())
  const url = server.url + annotationsPath
  return {
    simulator,
    stop: () => server.close(),
    target: ['--target', server.url],
    waiting: () => expect.poll(() => simulator.breakpoints.list().length).toBe(1),
    read: () => fetch(url, { headers: authorization() }),
    create: () =>
      fetch(url, { method: 'POST', headers: jsonHeaders(), body: '{"content": "Sent"}' }),
  }
}

test('the next request is answered by hand; others pass', async () => {
  const { target, waiting, read, create, simulator } = await startServer()
  const response = '{"status": 409, "headers": {"x-by": "hand"}, "body": {"detail": "Taken."}}'

  const command = startCommand(['hold', '--method', 'post', '--answer', response, ...target])
  await waiting()
  const other = await read()
  const held = await create()
  const { code, stdout, stderr } = await command.end

  expect(other.status).toBe(200)
  expect([held.status, held.headers.get('x-by'), await held.json()]).toEqual([
    409,
    'hand',
    { detail: 'Taken.' },
  ])
  expect([code, stderr]).toEqual([0, ''])
  const lines = stdout.split('\n')
  expect(lines.slice(0, 3)).toEqual([
    'Waiting for the next request (POST). Press Ctrl-C to stop.',
    `POST ${annotationsPath} is held as request 2 (createAnnotation, all).`,
    'It continues by itself in 30 s.',
  ])
  expect(stdout).toContain('  {"content":"Sent"}\n')
  expect(stdout).not.toContain('phx_all')
  expect(lines.at(-2)).toMatch(
    /^Request 2 ended\. 409: held for \d\.\d s by breakpoint-1, then answered by hand: the response is a 409$/,
  )
  expect(simulator.breakpoints.list()).toEqual([])
})

test('the next request is edited, with lines of JSON for a program', async () => {
  const { target, waiting, create } = await startServer()
  const edit = ['--edit', '{"body": {"content": "Edited"}}']
  const pattern = ['--operation', 'createAnnotation', '--key', 'all']

  const command = startCommand(['hold', ...pattern, ...edit, '--json', ...target])
  await waiting()
  const response = await create()
  const { code, stdout } = await command.end

  expect(await response.json()).toMatchObject({ content: 'Edited' })
  expect(code).toBe(0)
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toMatchObject([
    { event: 'held', id: 1, operation: 'createAnnotation', request: { body: { content: 'Sent' } } },
    { event: 'ended', id: 1, status: 201, outcome: 'edited' },
  ])
})

test('the next request is let go, or dropped', async () => {
  const { target, waiting, read } = await startServer()

  const first = startCommand(['hold', '--continue', ...target])
  await waiting()
  const { status } = await read()
  const continued = await first.end
  const second = startCommand(['hold', '--path', annotationsPath, '--drop', ...target])
  await waiting()
  const failure = read().catch(() => 'no response')
  const dropped = await second.end

  expect([continued.code, status, dropped.code, await failure]).toEqual([0, 200, 0, 'no response'])
  expect(dropped.stdout).toMatch(/\nRequest 2 ended\. no response: held for .* then dropped: /)
})

test('a command that is interrupted removes its breakpoint', async () => {
  const { target, waiting, simulator } = await startServer()

  const command = startCommand(['hold', ...target])
  await waiting()
  const { code } = await command.stop('SIGINT')

  expect([code, simulator.breakpoints.list()]).toEqual([130, []])
})

test('a command whose terminal is closed removes its breakpoint', async () => {
  const { target, waiting, simulator } = await startServer()

  const command = startProcess(['hold', ...target])
  await waiting()
  command.kill('SIGHUP')
  const { code } = await waitForExit(command)

  expect([code, simulator.breakpoints.list()]).toEqual([130, []])
})

test('a key is named, and a key that does not exist is warned about', async () => {
  const { target, waiting } = await startServer()

  const command = startCommand(['hold', '--key', 'nokey', ...target])
  await waiting()
  const { stdout, stderr } = await command.stop('SIGINT')

  expect(stdout).toBe(
    'Waiting for the next request (any request with the key nokey). Press Ctrl-C to stop.\n',
  )
  expect(stderr).toBe(
    'It can never hold a request: no key has this value or label. Did you mean "none"?\n',
  )
})

test('the value of a key is masked', async () => {
  const { target, waiting } = await startServer()

  const command = startCommand(['hold', '--method', 'POST', '--key', 'phx_all', ...target])
  await waiting()
  const { stdout, stderr } = await command.stop('SIGINT')

  expect([stdout, stderr]).toEqual([
    'Waiting for the next request (POST with the key phx_…). Press Ctrl-C to stop.\n',
    '',
  ])
})

test('a server that stops while the command waits, and a breakpoint that is removed, end it', async () => {
  const { target, waiting, simulator, stop } = await startServer()

  const first = startCommand(['hold', ...target])
  await waiting()
  simulator.breakpoints.clear()
  const removed = await first.end
  const second = startCommand(['hold', ...target])
  await waiting()
  await stop()
  const { code } = await second.end

  expect([removed.code, removed.stderr, code]).toEqual([
    2,
    'breakpoint-1 is gone: it was removed, or its request has ended already.\n',
    4,
  ])
})

test('a person decides on stdin, after a mistake', async () => {
  const { target, create, waiting } = await startServer()

  const command = startProcess(['hold', ...target])
  await waiting()
  const pending = create()
  await expect.poll(() => outputOf(command).stdout).toContain('is held as request 1')
  command.stdin?.write('answr 503\n')
  await expect.poll(() => outputOf(command).stderr).toContain('got "answr 503"')
  command.stdin?.write('answer 503\n')
  const { code, stdout, stderr } = await waitForExit(command)

  expect((await pending).status).toBe(503)
  expect(code).toBe(0)
  expect(stdout).toMatch(/Request 1 ended\. 503: held for .*, then answered by hand: /)
  expect(stderr).toBe(
    'continue, edit {…}, answer STATUS or {…}, drop?\n' +
      'Failed to read the line: expected continue, edit {…}, answer STATUS or {…}, or drop, got "answr 503".\n',
  )
})

test('a request that ends by itself ends the command; so does the end of stdin', async () => {
  const { target, read, waiting } = await startServer()

  const first = startProcess(['hold', '--timeout', '300ms', ...target])
  await waiting()
  const late = await read()
  const timedOut = await waitForExit(first)
  const second = startProcess(['hold', ...target])
  second.stdin?.end()
  await waiting()
  const { status } = await read()
  const ended = await waitForExit(second)

  expect([late.status, timedOut.code, status, ended.code]).toEqual([200, 0, 200, 0])
  expect(timedOut.stdout).toMatch(/Request 1 ended\. 200: .* continued because its time was over/)
  expect(ended.stdout).toMatch(/Request 2 ended\. 200: held for .*, then continued\n$/)
})

const mistakes: readonly [args: string[], message: string][] = [
  [
    ['--answer', 'teapot'],
    'Failed to read --answer: expected a status, or a response as JSON, got "teapot".',
  ],
  [['--answer', '99'], 'Failed to fulfill the request.\n  status: expected at least 200, got 99'],
  [['--edit', '[]'], 'Failed to read --edit: expected the parts to replace as JSON, got "[]".'],
  [
    ['--edit', '{"boddy": 1}'],
    'Failed to continue the request.\n  changes: unknown field "boddy". Did you mean "body"?',
  ],
  [
    ['--timeout', '30'],
    'Failed to read --timeout: expected a duration such as 30s or 500ms, got "30".',
  ],
  [
    ['--timeout', '0s'],
    'Failed to read --timeout: expected a duration such as 30s or 500ms, got "0s".',
  ],
  [['--timeout', '601s'], 'Failed to read --timeout: expected at most 600s, got "601s".'],
  [
    ['--drop', '--continue'],
    'Option "--continue" cannot be used with option "--drop". Run npx understudy-api hold --help for usage.',
  ],
]

test.each(mistakes)('%j is refused before anything is held', async (args, message) => {
  const { target, simulator } = await startServer()

  const { code, stdout, stderr } = await run(['hold', ...args, ...target])

  expect([code, stdout, stderr]).toEqual([2, '', `${message}\n`])
  expect(simulator.breakpoints.list()).toEqual([])
})

test('a pattern that the server refuses, and a server that does not respond, are errors', async () => {
  const { target } = await startServer()

  const refused = await run(['hold', '--operation', 'createAnotation', '--drop', ...target])
  const missing = await run(['hold', '--drop', '--target', 'http://127.0.0.1:9'])

  expect([refused.code, refused.stderr]).toEqual([
    2,
    'Failed to add a breakpoint.\n  operation: expected the id of an operation, got "createAnotation". Did you mean createAnnotation?\n',
  ])
  expect(missing.code).toBe(4)
})
