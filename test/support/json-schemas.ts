import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { root } from './cli/command.ts'
import type { Random } from './random.ts'
import { codeBlocks, documents } from './repository/readme.ts'

export function readJson(path: string): unknown {
  return JSON.parse(readFileSync(join(root, path), 'utf8'))
}

/** Compiles a schema alone, with formats, in the strict mode of ajv. */
export function compileSchema(schema: unknown): ValidateFunction {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, code: { optimize: false } })
  addFormats.default(ajv)
  return ajv.compile(schema as object)
}

export function jsonFiles(folder: string): string[] {
  const names = readdirSync(join(root, folder))
  return names
    .filter((name) => name.endsWith('.json') && !name.endsWith('.schema.json'))
    .map((name) => `${folder}/${name}`)
}

/** The worlds and scenarios among the JSON of the documents: whole blocks, and arguments in the text. */
export function documentedJson(kind: 'world' | 'scenario'): [name: string, value: unknown][] {
  const blocks = documents.flatMap(codeBlocks).filter(({ language }) => language === 'json')
  const inText = documents.flatMap((document) => {
    const text = readFileSync(join(root, document), 'utf8')
    return [...text.matchAll(/`(\{ ?"generate".*?\})`/g)].map(([, json]) => [document, json])
  })
  return [...blocks.map(({ name, text }) => [name, text]), ...inText]
    .map(([name = '', text = '']): [string, unknown] => [name, JSON.parse(text)])
    .filter(([, value]) => kindOf(value as object) === kind)
}

function kindOf(value: object): string {
  if ('steps' in value) return 'scenario'
  return 'generate' in value || 'annotations' in value ? 'world' : 'other'
}

const oddValues: readonly unknown[] = [
  ...[null, '', 'x', 'today', '2024-06-15', '20240615T1200+02', '2024-W05-1T10'],
  ...['٢٠٢٤-06-15T12:00:00Z', 'a@b', 'real', '404', 404, 0, -1, 1.5, 2 ** 53, true],
  ...[[], {}, [null], { $match: 'id' }, { $match: 'uid' }, { $literal: 1 }],
]

/** Changes one value of a JSON document: removes it, replaces it, or renames its field. */
export function mutate(document: unknown, random: Random): unknown {
  const copy = structuredClone(document)
  let parent = copy as Record<string, unknown>
  for (;;) {
    const names = Object.keys(parent)
    const name = random.pick(names)
    const inner = parent[name]
    const isDeeper = typeof inner === 'object' && inner !== null && Object.keys(inner).length > 0
    if (isDeeper && random.below(8) > 0) {
      parent = inner as Record<string, unknown>
      continue
    }
    const action = random.below(4)
    if (Array.isArray(parent)) parent[name as never] = random.pick(oddValues) as never
    else if (action === 0) delete parent[name]
    else if (action === 1) parent[`${name}x`] = inner
    else parent[name] = structuredClone(random.pick(oddValues))
    return copy
  }
}
