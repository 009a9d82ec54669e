import { expect, test } from 'vitest'
import { unnoticedFields, unnoticedFinding } from '../../../../src/analysis/variants/dependences.ts'
import { MutantCollector, mutantVariants } from '../../../../src/analysis/variants/mutants.ts'
import type { Variant } from '../../../../src/analysis/variants/variant.ts'
import { resolvePolicies } from '../../../../src/policies/settings.ts'
import type { Mutation } from '../../../../src/sandbox/faults/rule.ts'
import { createSimulator } from '../../../../src/simulator.ts'
import { acme, annotationsPath } from '../../../support/api/paths.ts'
import { initOf } from '../../../support/lanes/client.ts'

const settings = resolvePolicies('documented')

const liveNull = 'null in the live service. The documentation does not say whether it may be null'

const describe = ({ id, evidence, source }: Variant) => `${id}: ${evidence}, ${source}`

test.each([
  [
    'listAnnotations',
    { kind: 'extra_field' },
    'annotation=extra_field: observed, the live service added fields to annotations in July 2024, without a version',
  ],
  [
    'listAnnotations',
    { kind: 'extra_field', field: 'created_by' },
    'annotation.created_by=extra_field: assumed, the documentation does not exclude further fields',
  ],
  [
    'listPlugins',
    { kind: 'extra_field' },
    'plugin=extra_field: assumed, the documentation does not exclude further fields',
  ],
  [
    'listAnnotations',
    { kind: 'null', field: 'content' },
    `annotation.content=null: observed, ${liveNull}`,
  ],
  [
    'listPlugins',
    { kind: 'null', field: 'metrics' },
    'plugin.metrics=null: documented, the documentation says: may be null',
  ],
  ['listPlugins', { kind: 'null', field: 'name' }, `plugin.name=null: observed, ${liveNull}`],
  [
    'listPlugins',
    { kind: 'null', field: 'unknown' },
    'plugin.unknown=null: assumed, the documentation does not show the structure',
  ],
  [
    'listPlugins',
    { kind: 'null' },
    'plugin=null: assumed, the documentation does not show the structure',
  ],
  [
    'retrieveAnnotation',
    { kind: 'null', field: 'created_by.hedgehog_config' },
    `annotation.created_by.hedgehog_config=null: observed, ${liveNull}`,
  ],
  [
    'listProjects',
    { kind: 'slow' },
    'listProjects=slow: assumed, the documentation does not show how long a response takes',
  ],
  [
    'listProjects',
    { kind: 'key_order' },
    'project=key_order: assumed, the documentation does not say that fields have an order',
  ],
  [
    'deletePlugin',
    { kind: 'key_order' },
    'deletePlugin=key_order: assumed, the documentation does not say that fields have an order',
  ],
  [
    'retrieveAnnotation',
    { kind: 'seconds', field: 'created_at' },
    'annotation.created_at=seconds: observed, the live service omits the fraction of a whole second',
  ],
  [
    'retrieveAnnotation',
    { kind: 'right_to_left', field: 'content' },
    'annotation.content=right_to_left: documented, the documentation says: string. Users write it in any language',
  ],
] as const)('the grounds of a mutant of %s with %j: %s', (operation, mutation, expected) => {
  const [variant] = mutantVariants({ [operation]: [mutation as Mutation] }, settings)

  expect(variant && describe(variant)).toBe(`mutate.${expected}`)
})

test('only successes with JSON that were stored have mutants', async () => {
  const simulator = createSimulator({ journal: { bytes: 8_000 } })
  simulator.faults.add({ operation: 'listProjects', effect: { status: 200, body: 'text' } })
  const collector = new MutantCollector()
  simulator.journal.followRecords((record) => collector.add(record))

  await simulator.fetch(annotationsPath, initOf('GET', {}))
  await simulator.fetch('/api/projects/', initOf('GET', {}))
  await simulator.fetch('/api/unknown/', initOf('GET', {}))
  await simulator.fetch(`${annotationsPath}1/`, initOf('DELETE', {}))
  await simulator.fetch(`/api/organizations/${acme}/plugins/23/`, initOf('DELETE', {}))

  expect(collector.exercised).toEqual({})
  await simulator.fetch(annotationsPath, initOf('POST', { body: { content: 'x' } }))
  expect(Object.keys(collector.exercised)).toEqual(['createAnnotation'])
})

const outcome = (id: string, result: 'passed' | 'failed' | 'flaky') => ({
  variant: { id, sentence: '', evidence: 'assumed', source: '' } as const,
  outcome: result,
})

test('a field is unnoticed if no variant of it failed', () => {
  const fields = unnoticedFields([
    outcome('mutate.annotation.content=null', 'passed'),
    outcome('mutate.annotation.content=long_text', 'passed'),
    outcome('mutate.annotation.scope=null', 'passed'),
    outcome('mutate.annotation.scope=new_value', 'failed'),
    outcome('mutate.plugin.name=null', 'flaky'),
    outcome('mutate.annotation=key_order', 'passed'),
    outcome('annotations.delete.status=404', 'passed'),
    outcome('x mutate.plugin.tag=null', 'passed'),
    outcome('mutate.annotation.created_by.email=null', 'passed'),
  ])

  const finding = {
    rule: 'mutants-unnoticed',
    level: 'note',
    cure: 'If the client uses other values of a field, test what it does with them.',
  }
  expect(fields).toEqual(['annotation.content', 'annotation.created_by.email'])
  expect([unnoticedFinding([]), unnoticedFinding(['a.b']), unnoticedFinding(fields)]).toEqual([
    [],
    [
      {
        ...finding,
        message:
          'No change of 1 field was noticed. Values that the client itself sent were left as they are.',
        details: ['a.b'],
      },
    ],
    [
      {
        ...finding,
        message:
          'No change of 2 fields was noticed. Values that the client itself sent were left as they are.',
        details: fields,
      },
    ],
  ])
})
