import { useState } from 'preact/hooks'
import type { PluginRow } from '../../../world/rows.ts'
import { useDashboard } from '../kit/context.ts'
import { ConfirmRemoval, Dialog } from '../kit/dialog.tsx'
import { Button, bindFields, Checkbox, Input, SearchField } from '../kit/fields.tsx'
import { Form } from '../kit/form.tsx'
import { type Column, ScrollArea, Table } from '../kit/table.tsx'
import { PluginSource } from './plugin-source.tsx'
import { GenerateRows, type RowActions, RowPage, useRowActions, useRows } from './use-rows.tsx'

/** The plugins of the world, and the source of the open one. */
export function PluginsView({ id }: { id: string | undefined }) {
  const { link } = useDashboard()
  const [search, setSearch] = useState('')
  const loaded = useRows('plugins', search === '' ? {} : { search })
  const actions = useRowActions('plugins', 'Plugin', loaded.reload)
  const [edited, setEdited] = useState<Partial<PluginRow> | null>(null)
  const [removed, setRemoved] = useState<PluginRow | null>(null)
  const buttons = (row: PluginRow) => (
    <>
      <Button class="quiet" row={`plugin ${row.id}`} onClick={() => setEdited(row)}>
        Edit
      </Button>
      <Button class="quiet" row={`plugin ${row.id}`} onClick={() => setRemoved(row)}>
        Remove
      </Button>
    </>
  )
  return (
    <div class={id === undefined ? 'split' : 'split open'}>
      <section class="list" aria-label="Plugins">
        <div class="toolbar">
          <SearchField
            placeholder="Search name, description, URL"
            value={search}
            onChange={setSearch}
          />
          <div class="actions">
            <Button onClick={() => setEdited({})}>Add</Button>
            <GenerateRows noun="plugins" onGenerate={actions.generate} />
          </div>
        </div>
        <RowPage rows={loaded} empty="No plugins match the search.">
          {(rows) => (
            <ScrollArea label="Plugin table">
              <Table
                class="rows linked"
                columns={pluginColumns(link)}
                rows={rows}
                rowKey={(row) => row.id}
                rowClass={(row) => (String(row.id) === id ? 'current' : '')}
                actions={buttons}
              />
            </ScrollArea>
          )}
        </RowPage>
      </section>
      {id !== undefined && (
        <PluginSource id={Number(id)} version={loaded.version} back={link('world', 'plugins')} />
      )}
      {edited && <PluginForm row={edited} actions={actions} onClose={() => setEdited(null)} />}
      {removed && (
        <ConfirmRemoval
          subject={`plugin ${removed.name ?? removed.id}`}
          onRemove={() => actions.remove(removed.id)}
          onClose={() => setRemoved(null)}
        />
      )}
    </div>
  )
}

const none = <span class="dim">–</span>

/** The columns of the table. Each name links to the source. */
function pluginColumns(
  link: (...path: readonly (string | number)[]) => string,
): readonly Column<PluginRow>[] {
  return [
    ['number', 'ID', ({ id }) => id],
    [
      '',
      'Name',
      ({ id, name, is_global }) => (
        <>
          <a href={link('world', 'plugins', id)}>{name ?? `Plugin ${id}`}</a>{' '}
          {is_global && <span class="tag">global</span>}
        </>
      ),
    ],
    ['wide', 'Type', ({ plugin_type }) => plugin_type ?? none],
    ['when', 'Tag', (row) => <PluginTag row={row} />],
    ['content wide', 'Description', ({ description }) => description],
  ]
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

const textFields = ['name', 'description', 'url', 'tag', 'latest_tag'] as const

interface PluginFormProps {
  /** The row to edit. A row without an id is created. */
  readonly row: Partial<PluginRow>
  readonly actions: RowActions<'plugins'>
  readonly onClose: () => void
}

/** The dialog that creates or edits a plugin. Empty fields are saved as null. */
function PluginForm({ row, actions, onClose }: PluginFormProps) {
  const [draft, setDraft] = useState(() => {
    const texts = textFields.map((name) => [name, row[name] ?? ''] as const)
    return Object.fromEntries(texts) as Record<(typeof textFields)[number], string>
  })
  const [isGlobal, setGlobal] = useState(row.is_global ?? false)
  const field = bindFields(draft, setDraft)
  const save = () => {
    const texts = Object.fromEntries(textFields.map((name) => [name, draft[name] || null]))
    return actions.save(row.id, { ...texts, is_global: isGlobal })
  }
  return (
    <Dialog title={row.id === undefined ? 'New plugin' : `Edit plugin ${row.id}`} onClose={onClose}>
      <Form save={save} onSuccess={onClose}>
        {textFields.map((name) => (
          <Input key={name} label={name} {...field(name)} />
        ))}
        <Checkbox label="is_global" value={isGlobal} onChange={setGlobal} />
        <p class="dim">Saved directly to the world, bypassing API rules. Nothing is installed.</p>
      </Form>
    </Dialog>
  )
}
