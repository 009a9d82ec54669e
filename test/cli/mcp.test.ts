import { expect, test, vi } from 'vitest'
import { run } from '../support/cli/command.ts'

test('mcp that cannot speak the protocol says why, and its server ends', async () => {
  vi.doMock('@modelcontextprotocol/server/stdio', () => ({
    StdioServerTransport: class {},
    serveStdio() {
      throw new Error('There is no stdin.')
    },
  }))

  const { code, stdout, stderr } = await run(['mcp'])

  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(/Understudy .* is serving[\s\S]*\nThere is no stdin\.\n$/)
})
