import { expect, test } from 'vitest'
import {
  type Answer,
  byStatus,
  errorDetail,
  errorForm,
} from '../../../../src/analysis/observe/requests.ts'
import { tryParseJson } from '../../../../src/utils/json.ts'

const answer = (text: string, type = 'application/json'): Answer => ({
  status: 404,
  headers: new Headers({ 'content-type': type }),
  text,
  body: tryParseJson(text)?.value,
})

const whole = '{"type":"a","code":"b","detail":"Not found.","attr":null}'

test.each([
  [whole, 'envelope', 'Not found.'],
  [`[${whole}]`, 'list', 'Not found.'],
  ['{"detail":"Not found."}', 'detail', 'Not found.'],
  ['', 'empty', null],
  ['<h1>Not found.</h1>', 'html', null],
  [' \n <h1>Not found.</h1>', 'html', null],
  [`[${whole},${whole}]`, 'other', null],
  ['[{"detail":"Not found."}]', 'other', null],
  ['{"type":"a","code":"b","detail":"Not found."}', 'other', null],
  ['{"type":"a","detail":"Not found.","attr":null}', 'other', null],
  ['{"code":"b","detail":"Not found.","attr":null}', 'other', null],
  ['{"type":"a","code":"b","detail":1,"attr":null}', 'other', null],
  ['{"detail":"Not found.","path":"/"}', 'other', null],
  ['[null]', 'other', null],
  ['[]', 'other', null],
  ['null', 'other', null],
  ['1 < 2', 'other', null],
] as const)('the error %j has the form %s', (text, form, detail) => {
  expect([errorForm(answer(text)), errorDetail(answer(text))]).toEqual([form, detail])
})

test('a page is HTML by its type, too', () => {
  expect(errorForm(answer('Oops', 'text/html; charset=utf-8'))).toBe('html')
  expect(errorForm(answer('Oops', 'text/plain'))).toBe('other')
})

test('a status that shows no value leaves a policy open', () => {
  expect(byStatus({ status: 403 }, { 200: 'yes', 403: 'no' })).toBe('no')
  expect(() => byStatus({ status: 500 }, { 200: 'yes', 403: 'no', 404: 'no' })).toThrow(
    expect.objectContaining({
      reason: 'The status was 500, and the values would show as 200, 403 or 404.',
    }),
  )
})
