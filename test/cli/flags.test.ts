import { expect, test } from 'vitest'
import { parseKey } from '../../src/cli/flags.ts'

test.each([
  ['phx_mine', { key: 'phx_mine' }],
  ['all=YWJj==', { keys: { all: 'YWJj==' } }],
  ['QWxhZGRpbjpvcGVuIHNlc2FtZQ==', { key: 'QWxhZGRpbjpvcGVuIHNlc2FtZQ==' }],
])('a key can end with "=", as base64 does: %s', (text, keys) => {
  expect(parseKey(text, '--key')).toEqual(keys)
})
