import { MantineProvider } from '@mantine/core'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { createBrowserRouter, Outlet, RouterProvider } from 'react-router'
import { findBasename, isEmbedded } from './api/public-path.ts'
import { createQueryClient, prefetchDocument } from './api/queries.ts'
import { theme } from './app-theme.ts'
import { Home } from './folders/home.tsx'
import { ErrorPage } from './shell/error-page.tsx'
import { FileDrops } from './shell/file-drops.tsx'
import { findNonce } from './shell/find-nonce.ts'
import { lazyPart } from './shell/lazy-part.tsx'
import { NotFound } from './shell/not-found.tsx'
import { Notices, notifyText } from './shell/notices.tsx'
import { Shell } from './shell/shell.tsx'
import { useUploads } from './shell/upload-queue.ts'
import { AcceptInvitation } from './sign-in/accept-invitation.tsx'
import { FreshSignIn } from './sign-in/fresh-sign-in.tsx'
import { SignIn } from './sign-in/sign-in.tsx'
import { cssVariables } from './theme.ts'

// Large and rarely opened pages are in chunks of their own. Pages that redirect are not: if they loaded late, they
// would navigate away from the page that the user has opened since.
const FolderPage = lazyPart(() => import('./folders/folder-page.tsx'), 'FolderPage')
const RecentPage = lazyPart(() => import('./folders/personal-lists.tsx'), 'RecentPage')
const FavouritesPage = lazyPart(() => import('./folders/personal-lists.tsx'), 'FavouritesPage')
const BinPage = lazyPart(() => import('./folders/bin-page.tsx'), 'BinPage')
const FilePage = lazyPart(() => import('./files/file-page.tsx'), 'FilePage')
const UsesPage = lazyPart(() => import('./uses/uses-page.tsx'), 'UsesPage')
const SettingsPage = lazyPart(() => import('./settings/settings-page.tsx'), 'SettingsPage')
const AccountPage = lazyPart(() => import('./sign-in/account-page.tsx'), 'AccountPage')
const ForgotPassword = lazyPart(() => import('./sign-in/forgot-password.tsx'), 'ForgotPassword')
const ResetPassword = lazyPart(() => import('./sign-in/reset-password.tsx'), 'ResetPassword')
const ConfirmAddress = lazyPart(() => import('./sign-in/confirm-address.tsx'), 'ConfirmAddress')
const DevicePage = lazyPart(() => import('./device/device-page.tsx'), 'DevicePage')
const SecurityPage = lazyPart(() => import('./security/security-page.tsx'), 'SecurityPage')
const EmbedPage = lazyPart(() => import('./document/embed-page.tsx'), 'EmbedPage')
const DocumentPage = lazyPart(() => import('./document/document-page.tsx'), 'DocumentPage')

const UploadTray = lazyPart(() => import('./uploads/upload-tray.tsx'), 'UploadTray')

/** The page that is open, and the uploads of all pages. */
function Pages() {
  const hasUploads = useUploads().length > 0
  return (
    <>
      <Outlet />
      {hasUploads && (
        <Suspense fallback={null}>
          <UploadTray />
        </Suspense>
      )}
    </>
  )
}

/** The routes of all pages. */
const createRouter = (queryClient: QueryClient) =>
  createBrowserRouter(
    [
      {
        errorElement: <ErrorPage />,
        element: <Pages />,
        children: [
          { path: '/sign-in', element: <SignIn /> },
          { path: '/invitation', element: <AcceptInvitation /> },
          { path: '/forgot-password', element: <ForgotPassword /> },
          { path: '/reset-password', element: <ResetPassword /> },
          { path: '/confirm-address', element: <ConfirmAddress /> },
          { path: '/device', element: <DevicePage /> },
          {
            path: '/documents/:documentId',
            element: <DocumentPage />,
            hydrateFallbackElement: <></>,
            loader: ({ params }) => {
              prefetchDocument(queryClient, params.documentId!)
              return null
            },
          },
          {
            element: <Shell />,
            children: [
              { path: '/', element: <Home /> },
              { path: '/account', element: <AccountPage /> },
              { path: '/account/security', element: <SecurityPage /> },
              { path: '/teams/:teamId', element: <FolderPage /> },
              { path: '/teams/:teamId/folders/:folderId', element: <FolderPage /> },
              { path: '/files/:fileId', element: <FilePage /> },
              { path: '/teams/:teamId/uses', element: <UsesPage /> },
              { path: '/teams/:teamId/recent', element: <RecentPage /> },
              { path: '/teams/:teamId/favourites', element: <FavouritesPage /> },
              { path: '/teams/:teamId/bin', element: <BinPage /> },
              { path: '/teams/:teamId/settings', element: <SettingsPage /> },
              { path: '/teams/:teamId/settings/:section', element: <SettingsPage /> },
              { path: '*', element: <NotFound /> },
            ],
          },
        ],
      },
    ],
    { basename: findBasename() },
  )

/**
 * The only route in a frame of another page. With all routes, a framing site could lead users to pages that change
 * something, without a request that the server would reject.
 */
const createEmbedRouter = () =>
  createBrowserRouter([{ path: '*', errorElement: <ErrorPage />, element: <EmbedPage /> }], {
    basename: findBasename(),
  })

export function App() {
  const [queryClient] = useState(createQueryClient)
  const [router] = useState(() => (isEmbedded() ? createEmbedRouter() : createRouter(queryClient)))
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={findNonce}
    >
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <FileDrops refuse={notifyText} />
        <FreshSignIn />
        <Notices />
      </QueryClientProvider>
    </MantineProvider>
  )
}
