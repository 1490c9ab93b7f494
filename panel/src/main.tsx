import './app/styles/public.css';
import { createRoot } from 'react-dom/client';
import { start } from '#app/start.tsx';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root');
void start(createRoot(root));
