import {
  type AppEndpoint,
  type AppResponse,
  readAppDocument,
  readMe,
  readWaysToSignIn,
} from '@meadow/contract/web'
import { MutationCache, QueryCache, QueryClient, queryOptions } from '@tanstack/react-query'
import { ApiError, type CallOptions, call } from './call.ts'

/** A refusal stays one however often it is asked again; what could not be reached may come back. */
const mayPass = (error: Error) => !(error instanceof ApiError) || error.status === 0 || error.status >= 500

/** The server is asked even when the browser thinks that it is offline: it may be this same machine. */
const networkMode = 'always'

export function createQueryClient(): QueryClient {
  /** A session that has ended is found out by whatever asks next; who is signed in is then read again. */
  function onError(error: Error): void {
    if (error instanceof ApiError && error.status === 401)
      void client.invalidateQueries({ queryKey: meQuery.queryKey })
  }
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        networkMode,
        staleTime: 10_000,
        retry: (count, error) => count < 2 && mayPass(error),
        retryDelay: (count) => 500 * 2 ** count,
      },
      mutations: { networkMode },
    },
  })
  return client
}

/** A read of an endpoint, kept under the endpoint's name and what it was asked. */
export const queryOf = <E extends AppEndpoint>(
  endpoint: E,
  asked: Omit<CallOptions<E>, 'signal' | 'body'> = {},
) =>
  queryOptions<AppResponse<E>>({
    queryKey: [endpoint.name, asked],
    queryFn: ({ signal }) => call(endpoint, { ...asked, signal } as CallOptions<E>),
  })

/** Who is signed in; null for nobody. */
export const meQuery = queryOptions({
  queryKey: [readMe.name],
  queryFn: async ({ signal }) => {
    try {
      return await call(readMe, { signal })
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return null
      throw error
    }
  },
  staleTime: 60_000,
})

export const waysToSignInQuery = queryOf(readWaysToSignIn)

export const documentQuery = (documentId: string) => queryOf(readAppDocument, { params: [documentId] })

/** Asks for what the document page needs first: while its own script is still on its way. */
export function prefetchDocument(queryClient: QueryClient, documentId: string): void {
  void queryClient.prefetchQuery(meQuery)
  void queryClient.prefetchQuery(documentQuery(documentId))
}
