import express from 'express'
import { createSimulator } from 'understudy-api'
import { toExpress } from 'understudy-api/express'

export const app = express()
app.use('/mock', toExpress(createSimulator().handlers))
