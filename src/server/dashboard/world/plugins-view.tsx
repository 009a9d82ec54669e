import { useState } from 'preact/hooks'
import type { PluginRow } from '../../../world/rows.ts'
import { useDashboard, useRowNames, useViewParams, useWorldData } from '../kit/context.ts'
import { Button, Checkbox, Input, SearchField, Select, useFields } from '../kit/fields.tsx'
import { ConfirmButton, parseJson } from '../kit/form.tsx'
import { none } from '../kit/inline.tsx'
import { DetailPanel, EmptyState, ErrorMessage, SplitView } from '../kit/panels.tsx'
import { type Column, JsonView } from '../kit/table.tsx'
import { NewRowButtons, RowDialog, type RowFormProps, RowTable, useRows } from './rows.tsx'

export function PluginsView({ id }: { id: string | undefined }) {
  const { linkHere } = useDashboard()
  const { params, field } = useViewParams({ search: '' })
  const page = useRows('plugins', params)
  const { edited } = page
  const placeholder = 'Search name, description, URL'
  const columns: readonly Column<PluginRow>[] = [
    ['number', 'ID', ({ id }) => id, 'id'],
    [
      'name',
      'Name',
      ({ id, name, is_global }) => (
        <>
          <a class="opens" title={name ?? ''} href={linkHere('world', 'plugins', id)}>
            {name ?? `Plugin ${id}`}
          </a>{' '}
          {is_global && <span class="tag">global</span>}
        </>
      ),
      'name',
    ],
    ['wide', 'Type', ({ plugin_type }) => plugin_type ?? none, 'plugin_type'],
    ['when', 'Tag', (row) => <PluginTag row={row} />, 'tag'],
    ['content wide', 'Description', ({ description }) => description, 'description'],
  ]
  return (
    <>
      <SplitView label="Plugins" detail={id !== undefined && <PluginSource id={Number(id)} />}>
        <div class="toolbar">
          <SearchField placeholder={placeholder} {...field('search')} />
          <NewRowButtons page={page} />
        </div>
        <RowTable
          page={page}
          label="Plugin table"
          empty="No plugins match the search."
          hint="Change the search, add a plugin, or generate some."
          columns={columns}
          rowClass={(row) => (String(row.id) === id ? 'current' : '')}
          actions={(row) => (
            <ConfirmButton
              {...{ label: 'Remove', class: 'quiet danger', row: `plugin ${row.id}` }}
              title={`Remove plugin ${row.name ?? row.id}?`}
              save={() => page.remove(row.id)}
            >
              This removes it from the world. To undo, restore a snapshot or reset the world.
            </ConfirmButton>
          )}
        />
      </SplitView>
      {edited && <PluginForm page={page} row={edited} />}
    </>
  )
}

function PluginTag({ row: { tag, latest_tag } }: { row: PluginRow }) {
  const isOutdated = latest_tag !== null && latest_tag !== tag
  return (
    <>
      {tag?.slice(0, 10) ?? none}{' '}
      {isOutdated && <span class="tag assumed">update available: {latest_tag.slice(0, 10)}</span>}
    </>
  )
}

const textFields = [
  'name',
  'description',
  'plugin_type',
  'url',
  'icon',
  'tag',
  'latest_tag',
] as const

/** Fields whose value is JSON. */
const jsonFields = ['config_schema', 'capabilities', 'metrics', 'public_jobs', 'source'] as const

type Editable = Exclude<keyof RowFormProps<'plugins'>['row'], 'id' | 'revision'>

/** The dialog that creates or edits a plugin. Empty fields are saved as null. */
function PluginForm({ page, row }: RowFormProps<'plugins'>) {
  const texts = Object.fromEntries(textFields.map((name) => [name, row[name] ?? '']))
  const jsons = Object.fromEntries(
    jsonFields.map((name) => [name, name in row ? JSON.stringify(row[name], null, 2) : '']),
  )
  const organizations = [...useRowNames('organizations')] as [string, string][]
  const [{ is_global, organization, ...draft }, field] = useFields({
    ...(texts as Record<(typeof textFields)[number], string>),
    ...(jsons as Record<(typeof jsonFields)[number], string>),
    organization: row.organization ?? '',
    is_global: row.is_global ?? false,
  } satisfies Record<Editable, string | boolean>)
  const chosen = organization || organizations[0]?.[0] || ''
  const save = async () => {
    const values = textFields.map((name) => [name, draft[name] || null])
    const changed = jsonFields.filter((name) => draft[name] !== jsons[name])
    const parsed = changed.map((name) => [name, parseJson(draft[name])])
    return page.save(row.id, {
      ...Object.fromEntries([...values, ...parsed]),
      organization: chosen,
      is_global,
    })
  }
  return (
    <RowDialog page={page} save={save}>
      <div class="side-by-side">
        {textFields.map((name) => (
          <Input key={name} label={name} {...field(name)} />
        ))}
        <Select
          label="organization"
          options={organizations}
          {...field('organization')}
          value={chosen}
        />
      </div>
      <Checkbox label="is_global" {...field('is_global')} />
      {jsonFields.map((name) => (
        <Input key={name} label={`${name}, as JSON`} rows={2} spellcheck={false} {...field(name)} />
      ))}
      <p class="dim">
        Saved directly to the world, without the rules of the API. Types and lengths are still
        checked. Nothing is installed.
      </p>
    </RowDialog>
  )
}

function PluginSource({ id }: { id: number }) {
  const { linkHere } = useDashboard()
  const { value: plugin, error } = useWorldData(
    async ({ world }) => (await world.get('plugins', id)) ?? null,
    [id],
  )
  const back = linkHere('world', 'plugins')
  return (
    <DetailPanel key={id} label={`Plugin ${id}`} title={plugin?.name ?? `Plugin ${id}`} back={back}>
      <ErrorMessage error={error} />
      {plugin === null && <EmptyState title="This plugin no longer exists." />}
      {plugin && <Files plugin={plugin} />}
    </DetailPanel>
  )
}

function Files({ plugin }: { plugin: PluginRow }) {
  const { source, config_schema, url } = plugin
  const names = Object.keys(source ?? {})
  const [selected, setSelected] = useState(names[0])
  const open = selected !== undefined && names.includes(selected) ? selected : names[0]
  return (
    <>
      {url && <p class="long-text dim">{url}</p>}
      <section>
        <h3>Source</h3>
        {open === undefined ? (
          <p class="dim">No source files.</p>
        ) : (
          <>
            <div class="files">
              {names.map((name) => (
                <Button
                  label={name}
                  key={name}
                  aria-pressed={name === open}
                  onClick={() => setSelected(name)}
                />
              ))}
            </div>
            <JsonView value={source[open]} label={`Source of ${open}`} />
          </>
        )}
      </section>
      <section>
        <h3>Configuration schema</h3>
        <JsonView value={config_schema} label="Configuration schema" />
      </section>
    </>
  )
}
