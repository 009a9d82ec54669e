import { expect, test, vi } from 'vitest'
import { run } from '../support/cli/command.ts'
import { startServe } from '../support/cli/serve.ts'

test('mcp that cannot speak the protocol says why, and its server ends', async () => {
  vi.doMock('@modelcontextprotocol/server/stdio', () => ({
    StdioServerTransport: class {},
    serveStdio() {
      throw new Error('There is no stdin.')
    },
  }))

  const { code, stdout, stderr } = await run(['mcp'])

  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(/ is serving[\s\S]*0\.1:(?!4010)[\s\S]*\nThere is no stdin\.\n$/)
})

test('mcp refuses a token that is wrong, and flags of a server, before it speaks the protocol', async () => {
  const { url } = await startServe(['--token', 'secret'])
  const runs = [
    await run(['mcp', '--target', url, '--token', 'wrong']),
    await run(['mcp', '--target', url, '--world', 'odd']),
  ]

  expect(runs.map(({ code, stdout }) => [code, stdout])).toEqual([
    [2, ''],
    [2, ''],
  ])
  expect(runs.map(({ stderr }) => stderr)).toEqual([
    expect.stringContaining('The token is wrong.'),
    '--world has no effect with --target. Pass it to serve.\n',
  ])
})
