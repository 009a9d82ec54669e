import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import express, { type Application, type NextFunction, type Request, type Response } from 'express'
import { middleware } from 'express-openapi-validator'
import type { OpenApiDocument } from '../../../src/adapters/openapi/document.ts'

type Options = Parameters<typeof middleware>[0]

/** A request and its response, as they were sent. */
export interface HttpExchange {
  readonly method: string
  /** The path and the query. */
  readonly target: string
  readonly requestHeaders: Readonly<Record<string, string>>
  /** The parsed body, or undefined. */
  readonly requestBody: unknown
  readonly status: number
  readonly contentType: string | null
  /** The parsed body, or undefined. */
  readonly body: unknown
}

/** A part of an exchange that the document does not describe. */
export interface Violation {
  /** 404 for an unknown path, 405 for an unknown method. */
  readonly status: number
  readonly message: string
}

interface DescribedResponse {
  readonly $ref?: string
  readonly content?: object
}

/** An exchange on its way through the validator. */
interface Passing extends Request {
  readonly exchange: HttpExchange
  /** The operation that the validator found. */
  readonly openapi: {
    readonly schema: {
      readonly responses: Readonly<Record<string, DescribedResponse | undefined>>
    }
  }
  readonly done: (violation: Violation | null) => void
}

/**
 * express-openapi-validator between a client and a server: it validates each request and each response against an
 * OpenAPI document.
 */
export class Contract {
  readonly #requests: Application
  readonly #answers: Application

  constructor(document: OpenApiDocument) {
    this.#requests = application(document, { validateResponses: false }, ({ done }) => done(null))
    this.#answers = application(
      document,
      { validateRequests: false, validateSecurity: false, validateResponses: true },
      ({ exchange, done, openapi }, expressResponse) => {
        const { status, contentType } = exchange
        const described = openapi.schema.responses[status]
        const shared = described?.$ref?.split('/').at(-1)
        const response: DescribedResponse | undefined =
          shared === undefined ? described : document.components.responses?.[shared]
        const declared = response?.content
        if (contentType && !contentType.startsWith('application/json') && declared) {
          const message = `response of the undescribed type ${contentType}`
          return done(contentType in declared ? null : { status: 500, message })
        }
        expressResponse.status(exchange.status)
        if (exchange.contentType) expressResponse.type(exchange.contentType)
        expressResponse.json(exchange.body)
        // A violation would have been reported before.
        done(null)
      },
    )
  }

  /** Returns the violation of a request, or null. */
  findRequestViolation(exchange: HttpExchange): Promise<Violation | null> {
    return passed(this.#requests, exchange)
  }

  /** Returns the violation of a response, or null. */
  findResponseViolation(exchange: HttpExchange): Promise<Violation | null> {
    return passed(this.#answers, exchange)
  }
}

function application(
  document: OpenApiDocument,
  options: Omit<Options, 'apiSpec'>,
  answer: (passing: Passing, response: Response) => void,
): Application {
  // The validator changes its arguments.
  const apiSpec = structuredClone(document) as unknown as Exclude<Options['apiSpec'], string>
  return express()
    .enable('case sensitive routing')
    .use(
      ...middleware({
        validateRequests: { allowUnknownQueryParameters: true },
        ...options,
        apiSpec,
        fileUploader: false,
        // Redocly validates the document: test/server/openapi/lint.test.ts.
        validateApiSpec: false,
      }),
    )
    .use((request, response) => answer(request as Passing, response))
    .use((error: Violation, request: Request, _response: Response, _next: NextFunction) =>
      (request as Passing).done(error),
    )
}

/** A response without a socket: its output is discarded. */
function passed(app: Application, exchange: HttpExchange): Promise<Violation | null> {
  const { method, target, requestHeaders, requestBody } = exchange
  return new Promise((done) => {
    const request = Object.assign(new IncomingMessage(new Socket()), {
      method,
      url: target,
      headers: requestHeaders,
      body: requestBody,
      exchange,
      done,
    })
    app(request as unknown as Request, new ServerResponse(request) as unknown as Response)
  })
}
