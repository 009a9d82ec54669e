import { Ajv } from 'ajv'
import { expect, test } from 'vitest'
import packageJson from '../../../package.json' with { type: 'json' }
import serverJson from '../../../server.json' with { type: 'json' }
import { run } from '../../support/cli/command.ts'

// The rules of the schema that server.json names, as far as its fields need them.
const version = { type: 'string', minLength: 1, maxLength: 255, not: { const: 'latest' } }
const [text, texts] = [{ type: 'string' }, { type: 'string', minLength: 1, maxLength: 100 }]
const positional = {
  type: 'object',
  required: ['type', 'value'],
  properties: { type: { const: 'positional' }, value: text },
  additionalProperties: false,
}
const npmPackage = {
  type: 'object',
  required: ['registryType', 'identifier', 'transport'],
  properties: {
    registryType: { const: 'npm' },
    identifier: text,
    version,
    runtimeHint: text,
    transport: {
      type: 'object',
      required: ['type'],
      properties: { type: { const: 'stdio' } },
      additionalProperties: false,
    },
    packageArguments: { type: 'array', items: positional },
  },
  additionalProperties: false,
}
const schema = {
  type: 'object',
  required: ['name', 'description', 'version'],
  properties: {
    $schema: { type: 'string', pattern: '^https://static\\.modelcontextprotocol\\.io/schemas/' },
    name: {
      type: 'string',
      minLength: 3,
      maxLength: 200,
      pattern: '^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$',
    },
    title: texts,
    description: texts,
    version,
    packages: { type: 'array', items: npmPackage },
  },
  additionalProperties: false,
}

test('server.json is valid for the MCP registry', () => {
  const ajv = new Ajv({ allErrors: true })

  const isValid = ajv.validate(schema, serverJson)
  const isLongValid = ajv.validate(schema, { ...serverJson, description: 'x'.repeat(101) })

  expect([isValid, isLongValid]).toEqual([true, false])
})

test('server.json names this package, its version and its command', async () => {
  const [npm] = serverJson.packages
  const commands = npm?.packageArguments.map(({ value }) => value) ?? []

  const { code, stdout } = await run([...commands, '--help'])

  expect([npm?.identifier, npm?.version, serverJson.version]).toEqual([
    packageJson.name,
    packageJson.version,
    packageJson.version,
  ])
  expect([code, stdout]).toEqual([0, expect.stringContaining('Model Context Protocol')])
})
