import { acme, annotationsPath } from '../../../support/api/paths.ts'
import type { ReportClient, Service } from './client.ts'

const first = `${annotationsPath}1/`

/** Clients that change and delete rows. */
export const changeClients: readonly ReportClient[] = [
  {
    client: 'changes one field while another client changes another',
    mistakes: [],
    run: async (service) => {
      await service.get(first)
      await another(service).patch(first, { date_marker: '2024-06-04T09:00:00Z' })
      await service.patch(first, { content: 'Release 1.0 is out' })
    },
  },
  {
    client: 'reads the row again before it adds to its text',
    mistakes: [],
    run: async (service) => {
      await service.get(first)
      await another(service).patch(first, { content: 'Release 1.0.0' })
      const { body } = await service.get(first)
      await service.patch(first, { content: `${body.content} (Ada)` })
    },
  },
  {
    client: 'is a script that sets a text which it never read, after another client changed it',
    mistakes: [],
    run: async (service) => {
      await another(service).patch(first, { content: 'Release 1.0.0' })
      await service.patch(first, { content: 'Release 1.0 (3f2c1d0)' })
    },
  },
  {
    client: 'sends all fields of a form, which nobody else changed',
    mistakes: [],
    run: async ({ get, patch }) => {
      const { body } = await get(first)
      await patch(first, { content: 'Release 1', date_marker: body.date_marker })
    },
  },
  {
    client: 'takes back its own change',
    mistakes: [],
    run: async ({ get, patch }) => {
      const { body } = await get(first)
      await patch(first, { content: 'Release 1' })
      await patch(first, { content: body.content })
    },
  },
  {
    client: 'deletes a row by PATCH',
    mistakes: [],
    run: ({ patch }) => patch(first, { deleted: true }),
  },
  {
    client: 'deletes a row, and restores it when the user clicks Undo',
    mistakes: [],
    run: async ({ patch }) => {
      await patch(first, { deleted: true })
      await patch(first, { deleted: false })
    },
  },
  {
    client: 'tries DELETE, and sends the PATCH that the refusal names',
    mistakes: [],
    run: async (service) => {
      const { status } = await service.delete(first)
      if (status === 405) await service.patch(first, { deleted: true })
    },
  },
  {
    client: 'deletes its row by PATCH, and cleans up by DELETE',
    mistakes: [],
    run: async (service) => {
      const { body } = await service.post(annotationsPath, { content: 'Launch' })
      await service.patch(`${annotationsPath}${body.id}/`, { deleted: true })
      await service.delete(`${annotationsPath}${body.id}/`)
    },
  },
  {
    client: 'deletes a plugin, and takes the 404 of a second DELETE for success',
    mistakes: [],
    run: async (service) => {
      await service.delete(`/api/organizations/${acme}/plugins/23/`)
      await service.delete(`/api/organizations/${acme}/plugins/23/`)
    },
  },
  {
    client: 'deletes by DELETE, and reloads the list without a look at the status',
    mistakes: ['swallowed-delete'],
    run: async (service) => {
      await service.delete(first)
      await service.get(annotationsPath)
    },
  },
  {
    client: 'cleans up its own row by DELETE',
    mistakes: ['swallowed-delete'],
    run: async (service) => {
      const { body } = await service.post(annotationsPath, { content: 'Launch' })
      await service.delete(`${annotationsPath}${body.id}/`)
    },
  },
  {
    client: 'sends the whole form, and so takes back what another client wrote meanwhile',
    mistakes: ['undone-change'],
    run: async (service) => {
      const { body } = await service.get(first)
      await another(service).patch(first, { date_marker: '2024-06-04T09:00:00Z' })
      await service.patch(first, { content: 'Release 1', date_marker: body.date_marker })
    },
  },
  {
    client: 'sends the whole row back',
    mistakes: ['response-only-field'],
    run: async ({ get, patch }) => {
      const { body } = await get(first)
      await patch(first, { ...body, content: 'Release 1' })
    },
  },
]

const another = (service: Service): Service => service.with({ key: 'phx_old' })
