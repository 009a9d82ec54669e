import { expect, test } from 'vitest'
import { formatPolicyFile, parsePolicyFile } from '../../../src/policies/policy-file.ts'
import { UsageError } from '../../../src/utils/usage-error.ts'

/** The message of the error for a file. */
function refuse(file: unknown): string {
  try {
    parsePolicyFile(JSON.stringify(file), 'p.json')
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError)
    return (error as UsageError).message
  }
  throw new Error(`accepted: ${JSON.stringify(file)}`)
}

test('a file has the policies in the order of the table', () => {
  const text = formatPolicyFile({
    policies: { 'methods.put': 'on', 'annotations.delete.status': '403' },
    open: { versioning: 'Nothing shows it.', 'annotations.restore': 'No annotation is deleted.' },
  })

  expect(text).toBe(`{
  "policies": {
    "annotations.delete.status": "403",
    "methods.put": "on"
  },
  "open": {
    "annotations.restore": "No annotation is deleted.",
    "versioning": "Nothing shows it."
  }
}
`)
  expect(parsePolicyFile(text, 'p.json')).toEqual({
    'annotations.delete.status': '403',
    'methods.put': 'on',
  })
})

test('a file without open questions has no such field', () => {
  const text = formatPolicyFile({ policies: {} })

  expect(text).toBe('{\n  "policies": {}\n}\n')
  expect(parsePolicyFile(text, 'p.json')).toEqual({})
})

test.each([
  [[], ['expected an object, got []']],
  [{}, ['policies: expected an object by policy id, got nothing']],
  [{ open: {} }, ['policies: expected an object by policy id, got nothing']],
  [{ policies: {}, open: null }, ['open: expected an object by policy id, got null']],
  [{ policies: {}, notes: 1 }, ['notes: unknown field. Allowed: policies, open']],
  [{ policies: {}, opens: {} }, ['opens: unknown field. Did you mean "open"?']],
  [
    {
      policies: { 'keys.places': 'cookie', 'limits.body': 0, 'methods.putt': 'on' },
      open: { versionin: 'Why?', 'methods.put': 1 },
    },
    [
      'policies.keys.places: expected one of header, header_body_query, got "cookie"',
      'policies.limits.body: expected a whole number from 1 to 536870888, got 0',
      'policies.methods.putt: expected the id of a policy (npx understudy-api policies lists them), got "methods.putt". Did you mean methods.put?',
      'open.versionin: unknown policy. Did you mean "versioning"?',
      'open.methods.put: expected a text, got 1',
    ],
  ],
])('the file %j is refused with every issue', (file, issues) => {
  expect(refuse(file).split('\n')).toEqual([
    'p.json is not a valid policy file.',
    ...issues.map((issue) => `  ${issue}`),
  ])
})
