import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import defaultWorld from '../../fixtures/default.json' with { type: 'json' }
import { annotationFields, missingAnnotationFields } from '../support/api/annotation.ts'
import { run } from '../support/cli/command.ts'
import { runProcess } from '../support/cli/process.ts'
import { startServeProcess } from '../support/cli/serve.ts'
import { temporaryFolder } from '../support/files.ts'

const { annotations, ...rest } = defaultWorld
const [first, second] = annotations
const lines = [rest, ...annotations].map((value) => JSON.stringify(value))

function fileOf(content: string | Uint8Array, name = 'world.ndjson'): string {
  const file = join(temporaryFolder(), name)
  writeFileSync(file, content)
  return file
}

const counts =
  '1 organization, 2 projects, 2 users, 3 dashboard items, 4 plugins, 2 plugin configurations, 8 annotations, 2 activity entries'

test('the bin validates a world with an annotation in each line', async () => {
  const file = fileOf(lines.join('\n'))

  expect(await runProcess(['validate', file])).toEqual({
    code: 0,
    stdout: `${file} is a valid world: ${counts}.\n`,
    stderr: '',
  })
})

test('the bin serves a compressed world with an annotation in each line', async () => {
  const file = fileOf(gzipSync(lines.join('\n')), 'world.jsonl.gz')

  const { url } = await startServeProcess(['--data', file])

  const response = await fetch(`${url}/__admin/world`)
  expect(await response.json()).toMatchObject({ annotations })
})

const advice =
  'Write each object in one line, or rename the file to .json if all of it is one object.'

test.each([
  [
    'a line that is cut off',
    `${lines[0]}\r\n\r\n{"id":1,"content":"🦔"\r\n${lines[1]}\r\n`,
    `is not valid JSON: line 3, column 23 (expected a comma or a closing bracket). ${advice}`,
  ],
  [
    'two objects in a line',
    `${lines[1]}\n${lines[2]} {}\n`,
    `is not valid JSON: line 2, column ${`${lines[2]}`.length + 2} (expected the end). ${advice}`,
  ],
  [
    'a line that begins with a comma',
    `${lines[1]}\n,${lines[2]}\n`,
    `is not valid JSON: line 2, column 1 (expected a value). ${advice}`,
  ],
  [
    'an object on several lines',
    JSON.stringify(defaultWorld, null, 2),
    `is not valid JSON: line 1, column 2 (expected a name in double quotes). ${advice}`,
  ],
  [
    'a number that JSON does not have, in its last line',
    `${lines.join('\n')}\n{"id":9,"project":NaN}`,
    `is not valid JSON: line 10, column 19 (NaN is not a number in JSON). ${advice}`,
  ],
  ['nothing', '', `is not valid JSON: it is empty. ${advice}`],
  ['empty lines only', '\r\n \n\n', `is not valid JSON: it is empty. ${advice}`],
  [
    'lines that are no objects',
    `${lines[0]}\n5\n["a"]\n"odd"\nnull\n`,
    [
      'is not a valid world: 4 problems',
      '  line 2: expected an object, got 5',
      '  line 3: expected an object, got ["a"]',
      '  line 4: expected an object, got "odd"',
      '  line 5: expected an object, got null',
    ].join('\n'),
  ],
  [
    'a value twice',
    '{"seed":1}\n\n{"seed":2,"projects":[]}\n{"projects":null}\n{"next_ids":{}}\n{"next_ids":{}}',
    [
      'is not a valid world: 3 problems',
      '  line 3, seed: line 1 has a value, too. Keep one of them.',
      '  line 4, projects: expected an array, as in line 3, got null',
      '  line 6, next_ids: line 5 has a value, too. Keep one of them.',
    ].join('\n'),
  ],
  [
    'fields of a world that nothing knows',
    `{"projects":[],"anotations":[]}\n${lines[0]}`,
    'is not a valid world: 1 problem\n  line 1: unknown field "anotations". Did you mean "annotations"?',
  ],
  [
    'a list whose name is misspelt',
    `{"project":[]}\n${lines[0]}`,
    'is not a valid world: 1 problem\n  line 1: unknown field "project". Did you mean "projects"?',
  ],
  [
    'wrong rows',
    [
      JSON.stringify({ ...first, unknown: 'red' }),
      lines[0],
      JSON.stringify({ ...first, id: 2 }),
      '',
      JSON.stringify({ ...second, id: 3, scope: 'team' }),
      JSON.stringify({
        annotations: [
          { ...second, id: 7 },
          { ...first, id: 7 },
        ],
      }),
      JSON.stringify({ ...first, id: 8, project: 99 }),
      '\t',
      JSON.stringify({ seed: 'one' }),
      JSON.stringify({ next_ids: { annotations: 3 } }),
    ].join('\n'),
    [
      'is not a valid world: 6 problems',
      `  line 1, annotations[0]: unknown field "unknown". Allowed: ${annotationFields()}`,
      '  line 9, seed: expected number, got "one"',
      '  line 5, annotations[2].scope: expected one of "dashboard_item", "dashboard", "project", "organization", "recording", "tag", got "team"',
      '  line 6, annotations[4].id: expected a unique value, got 7 again',
      '  line 7, annotations[5].project: expected an id in projects, got 99',
      '  line 10, next_ids.annotations: expected more than 8, the highest id, got 3',
    ].join('\n'),
  ],
])('validate refuses a file of lines with %s', async (_, content, message) => {
  const file = fileOf(content)

  const result = await run(['validate', file])

  expect(result).toEqual({ code: 2, stdout: '', stderr: `${file} ${message}\n` })
})

test('lines in a file whose name does not say so are refused with a cure', async () => {
  const file = fileOf(lines.join('\n'), 'world.json')

  expect(await run(['validate', file])).toEqual({
    code: 2,
    stdout: '',
    stderr: `${file} is not valid JSON: line 2, column 1 (expected the end). If each line is an object, rename the file to .ndjson.\n`,
  })
})

test('missing fields can be generated, and the message says how', async () => {
  const rows = [...lines, '{"id":9,"content":"Launch"}']
  const file = fileOf(rows.join('\n'))
  const withGenerate = fileOf([...rows, '{"generate":{}}'].join('\n'))

  expect(await run(['validate', file])).toEqual({
    code: 2,
    stdout: '',
    stderr: `${file} is not a valid world: 1 problem. Add "generate": {} to ${file} to generate the missing fields of its rows.\n  line 10, annotations[8]: missing fields ${missingAnnotationFields(['id', 'content'])}\n`,
  })
  expect(await run(['validate', withGenerate])).toMatchObject({ code: 0, stderr: '' })
})

test('wrong values of rows that are generated are found in their lines', async () => {
  const file = fileOf('\n{"generate":{}}\n{"scope":"team"}\n{"id":5}\n{"id":5}\n')

  expect(await run(['validate', file])).toEqual({
    code: 2,
    stdout: '',
    stderr: `${file} is not a valid world: 2 problems\n  line 3, annotations[0].scope: expected one of "dashboard_item", "dashboard", "project", "organization", "recording", "tag", got "team"\n  line 5, annotations[2].id: expected a unique value, got 5 again\n`,
  })
})
