import { RouterProvider } from '@tanstack/react-router'
import { startApp } from '../shared/start-app.tsx'
import './portal.css'
import { router } from './routes.tsx'

startApp(<RouterProvider router={router} />)
