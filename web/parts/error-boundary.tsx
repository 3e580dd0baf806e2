import { Component, type ReactNode } from 'react';

interface BoundaryProps {
  fallback: ReactNode;
  children: ReactNode;
}

/** Keeps a fault of one part from emptying the page. React has no function for this. */
export class ErrorBoundary extends Component<BoundaryProps, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    return this.state.hasFailed ? this.props.fallback : this.props.children;
  }
}
