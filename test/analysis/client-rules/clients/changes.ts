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
    client: 'changes its own text twice, without a look between',
    mistakes: [],
    run: async ({ get, patch }) => {
      await get(first)
      await patch(first, { content: 'Release 1' })
      await patch(first, { content: 'Release One' })
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
    client: 'tries DELETE, and sends the PATCH through @current',
    mistakes: [],
    run: async (service) => {
      await service.delete(first)
      await service.patch('/api/projects/@current/annotations/1/', { deleted: true })
    },
  },
  {
    client: 'tries DELETE, and sends the PATCH with a key that may write',
    mistakes: [],
    run: async (service) => {
      await service.with({ key: 'phx_old' }).delete(first)
      await service.with({ key: 'phx_annotation_write' }).patch(first, { deleted: true })
    },
  },
  {
    client: 'shows its user that a key without the scope cannot delete',
    mistakes: [],
    run: (service) => service.with({ key: 'phx_annotation_read' }).delete(first),
  },
  {
    client: 'cleans up by DELETE what is not there',
    mistakes: [],
    run: (service) => service.delete(`${annotationsPath}99999/`),
  },
  {
    client: 'cleans up by DELETE what is deleted already',
    mistakes: [],
    run: (service) => service.delete(`${annotationsPath}6/`),
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
    client: 'is a test that expects the refusal of DELETE, and that the row is still there',
    mistakes: [],
    run: async (service) => {
      const test = service.with({ headers: { 'understudy-test': 'DELETE is refused with 405' } })
      await test.delete(first)
      await test.get(first)
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
    client: 'deletes by DELETE through @current, and never looks again',
    mistakes: ['swallowed-delete'],
    run: (service) => service.delete('/api/projects/@current/annotations/1/'),
  },
  {
    client: 'deletes three rows by DELETE, and sends the PATCH for two of them',
    mistakes: ['swallowed-delete'],
    run: async (service) => {
      for (const id of [1, 2, 4]) await service.delete(`${annotationsPath}${id}/`)
      for (const id of [1, 2]) await service.patch(`${annotationsPath}${id}/`, { deleted: true })
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
    client: 'deletes by DELETE in one test, and by PATCH in the next, after a reset',
    mistakes: ['swallowed-delete'],
    run: async (service) => {
      await service.delete(first)
      service.simulator.reset()
      await service.patch(first, { deleted: true })
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
    client: 'adds to a text that another client changed meanwhile',
    mistakes: ['undone-change'],
    run: async (service) => {
      const { body } = await service.get(first)
      await another(service).patch(first, { content: 'Release 1.0.0' })
      await service.patch(first, { content: `${body.content} (Ada)` })
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
