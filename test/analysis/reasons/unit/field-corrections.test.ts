import { expect, test } from 'vitest'
import { createSimulator } from '../../../../src/simulator.ts'
import { acme, annotationsPath } from '../../../support/api/paths.ts'
import { correct, plain } from '../correct.ts'

const simulator = createSimulator()
const plugins = `/api/organizations/${acme}/plugins/`
const long = 'é😀'.repeat(201)

test.each([
  [
    'an unknown name',
    { scope: 'projct', content: 'x' },
    ['{"scope":"project","content":"x"}', '{"content":"x"}'],
  ],
  ['no name at all', { scope: 7, content: 'x' }, ['{"content":"x"}']],
  ['a boolean', { scope: true }, ['{"scope":"true"}', '{}']],
  ['a value that is far from all', { scope: 'telescope-xyz' }, ['{}']],
  ['an unknown type', { creation_type: 'USE' }, ['{"creation_type":"USR"}', '{}']],
  ['no text', { content: [], deleted: true }, ['{"deleted":true}']],
  ['false', { deleted: false }, ['{"deleted":"false"}', '{}']],
])('a field with %s becomes the nearest valid one, or is left out', (_title, body, expected) => {
  const [attr] = Object.keys(body)

  const corrections = correct(
    plain('POST', annotationsPath, { body }),
    { attr: attr as string },
    simulator,
  )

  expect(corrections).toEqual(expected.map((each) => `POST ${annotationsPath} (phx_all) ${each}`))
})

test.each([
  ['content', long, [...long].slice(0, 400).join('')],
  ['content', 123, '123'],
])('a text of %s that is too long is cut', (attr, value, cut) => {
  const request = plain('PATCH', `${annotationsPath}1/`, { body: { [attr]: value, scope: 'tag' } })

  const corrections = correct(request, { attr, code: 'max_length' }, simulator)

  expect(corrections).toEqual(
    [{ [attr]: cut, scope: 'tag' }, { scope: 'tag' }].map(
      (body) => `PATCH ${annotationsPath}1/ (phx_all) ${JSON.stringify(body)}`,
    ),
  )
})

test.each([
  ['a list of objects', [{ content: 'x' }, { content: 'y' }], ['{"content":"x"}']],
  ['a list of numbers', [1], ['{}']],
  ['an empty list', [], ['{}']],
  ['a number', 7, ['{}']],
  ['null', null, ['{}']],
  ['nothing', undefined, ['{}']],
  ['an object', { content: 'x' }, []],
])('a body that is %s becomes an object', (_title, body, expected) => {
  const corrections = correct(plain('POST', annotationsPath, { body }), { attr: null }, simulator)

  expect(corrections).toEqual(expected.map((each) => `POST ${annotationsPath} (phx_all) ${each}`))
})

test.each([
  ['name', { url: 'a' }, '{"url":"a","name":"Example"}'],
  ['name', undefined, '{"name":"Example"}'],
  ['url', [1], '{"url":"https://github.com/example/example"}'],
])('the required field %s is added to %j', (attr, body, expected) => {
  const corrections = correct(
    plain('POST', plugins, { body }),
    { attr, code: 'required' },
    simulator,
  )

  expect(corrections).toEqual([`POST ${plugins} (phx_all) ${expected}`])
})

test.each([
  ['limit', undefined, '?offset=2&limits=3 (phx_all)'],
  ['limit', { content: 'x' }, '?offset=2&limits=3 (phx_all) {"content":"x"}'],
  ['limit', { limit: 'x' }, '?limit=-1&offset=2&limits=3 (phx_all) {}'],
  ['toString', {}, '?limit=-1&offset=2&limits=3 (phx_all) {}'],
])('a wrong %s with the body %j is left out where it is', (attr, body, expected) => {
  const request = plain('POST', annotationsPath, { body, query: 'limit=-1&offset=2&limits=3' })

  expect(correct(request, { attr }, simulator)).toEqual([`POST ${annotationsPath} ${expected}`])
})

test.each([
  ['parse_error', ['']],
  ['throttled', []],
  ['request_too_large', []],
  ['error', [' {"name":"x","plugin_type":"source"}']],
])('a failure with the code %s is corrected alike for every request', (code, bodies) => {
  const corrections = correct(plain('POST', plugins, { body: { name: 'x' } }), { code }, simulator)

  expect(corrections).toEqual(bodies.map((body) => `POST ${plugins} (phx_all)${body}`))
})
