import { expect, test } from 'vitest'
import { unnoticedFields } from '../../../../src/analysis/variants/dependences.ts'
import {
  responseVariants,
  VariantCollector,
} from '../../../../src/analysis/variants/response-variants.ts'
import type { Variant } from '../../../../src/analysis/variants/variant.ts'
import { resolveSettings } from '../../../../src/settings/resolve.ts'
import type { ResponseVariant } from '../../../../src/simulator/faults/fault.ts'
import { createSimulator } from '../../../../src/simulator.ts'
import { acme, annotationsPath } from '../../../support/api/paths.ts'
import { initOf } from '../../../support/lanes/client.ts'

const settings = resolveSettings('documented')

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
    'retrieveAnnotation',
    { kind: 'seconds', field: 'created_at' },
    'annotation.created_at=seconds: observed, the live service omits the fraction of a whole second',
  ],
  [
    'deletePlugin',
    { kind: 'row_order' },
    'deletePlugin=row_order: assumed, the documentation does not show the order of a list',
  ],
] as const)('the grounds of a variant of %s, %j: %s', (operation, one, expected) => {
  const [variant] = responseVariants({ [operation]: [one as ResponseVariant] }, settings)

  expect(variant && describe(variant)).toBe(`variant.${expected}`)
})

test('only successes with JSON have variants', async () => {
  const simulator = createSimulator()
  simulator.faults.add({ operation: 'listProjects', effect: { status: 200, body: 'text' } })
  const collector = new VariantCollector()
  simulator.journal.followRecords((record) => collector.add(record))

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
    outcome('variant.annotation.content=null', 'passed'),
    outcome('variant.annotation.content=long_text', 'passed'),
    outcome('variant.annotation.scope=null', 'passed'),
    outcome('variant.annotation.scope=new_value', 'failed'),
    outcome('variant.plugin.name=null', 'flaky'),
    outcome('variant.annotation=row_order', 'passed'),
    outcome('annotations.delete.status=404', 'passed'),
    outcome('x variant.plugin.tag=null', 'passed'),
    outcome('variant.annotation.created_by.email=null', 'passed'),
  ])

  expect(fields).toEqual(['annotation.content', 'annotation.created_by.email'])
})
