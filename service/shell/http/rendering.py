"""Templates by way of Litestar, which has our environment."""

from typing import Any

from litestar import Request
from litestar.plugins.jinja import JinjaTemplateEngine
from litestar.template import TemplateConfig

from service.shell.web.environment import environment


def template_config() -> TemplateConfig[JinjaTemplateEngine]:
    """The templates of the application."""
    return TemplateConfig(instance=JinjaTemplateEngine.from_environment(environment()))


def rendered(request: Request[Any, Any, Any], template: str, **values: Any) -> bytes:
    """A template with these values; of the request it learns nothing, so what it makes may be kept for others."""
    engine = request.app.template_engine
    assert engine is not None
    text: str = engine.get_template(template).render(**values)
    return text.encode()
