import { expect, test } from 'vitest'
import { type Answer, errorDetail, errorForm } from '../../../../src/analysis/observe/requests.ts'
import { tryParseJson } from '../../../../src/utils/foreign-json.ts'

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
