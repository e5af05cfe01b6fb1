import {
  type AppEndpoint,
  type AppResponse,
  readAppDocument,
  readMe,
  readWaysToSignIn,
} from '@meadow/contract/web'
import { MutationCache, QueryCache, QueryClient, queryOptions } from '@tanstack/react-query'
import { ApiError, type CallOptions, call } from './call.ts'

/** Returns whether a retry can succeed: the server was not reached, or failed. An error of the request itself stays. */
export const isTransient = (error: Error) =>
  !(error instanceof ApiError) || error.status === 0 || error.status >= 500

/** Requests are sent even when the browser reports that it is offline: the server may be on this machine. */
const networkMode = 'always'

export function createQueryClient(): QueryClient {
  /** Any request can find out that the session has ended: the signed-in user is then read again. */
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
        // By default, queries are not refetched on reconnection in this network mode.
        refetchOnReconnect: true,
        staleTime: 10_000,
        retry: (count, error) => count < 2 && isTransient(error),
        retryDelay: (count) => 500 * 2 ** count,
      },
      mutations: { networkMode },
    },
  })
  return client
}

/** A query of an endpoint, cached under the endpoint's path and the request. */
export const queryOf = <E extends AppEndpoint>(
  endpoint: E,
  request: Omit<CallOptions<E>, 'signal' | 'body'> = {},
) =>
  queryOptions<AppResponse<E>>({
    queryKey: [endpoint.path, request],
    queryFn: ({ signal }) => call(endpoint, { ...request, signal } as CallOptions<E>),
  })

/** The signed-in user; null without a session. */
export const meQuery = queryOptions({
  queryKey: [readMe.path],
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

/** Requests what the document page needs first, while the script of that page is still loading. */
export function prefetchDocument(queryClient: QueryClient, documentId: string): void {
  void queryClient.prefetchQuery(meQuery)
  void queryClient.prefetchQuery(documentQuery(documentId))
}
