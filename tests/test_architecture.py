"""Pictures of a model as it ran: they change when the model does, and can be read."""

import pytest
import torch
from readable import faults
from torch import nn

from helpers.drawing.architecture import architecture, norm_places
from helpers.models.transformer import EncoderLayer, LanguageModel, Transformer

SOURCE, TARGET = torch.tensor([[4, 7, 1, 3, 9], [2, 5, 0, 0, 0]]), torch.tensor([[1, 6, 2, 8], [1, 3, 3, 5]])
X = torch.ones(1, 5, 12)


def model(n_layers=2, **changes):
    return Transformer(11, 9, d_model=12, n_heads=6, n_layers=n_layers, d_hidden=48, **changes)


def without_an_encoder():
    changed = model(1)
    changed.encoder = nn.ModuleList()
    return changed


class Deaf(Transformer):
    """Its second decoder layer is handed its own vectors in place of the memory."""

    def score(self, x, memory, source, need_weights=False):
        x, _ = self.decoder[0](x, memory)
        x, _ = self.decoder[1](x, x)
        return self.decoder_norm(x) @ self.target_embedding.table.weight.T, []


class Untied(Transformer):
    def score(self, x, memory, source, need_weights=False):
        scores, weights = super().score(x, memory, source, need_weights)
        return scores.flip(-1), weights


def layers(**titles):
    return {title: EncoderLayer(12, 3, 48, norm_first=before) for title, before in titles.items()}


def texts(picture):
    return [text.get_text() for text in picture.figure.axes[0].texts]


@pytest.mark.parametrize(
    "draw",
    [
        lambda: architecture(model(), SOURCE, TARGET),
        lambda: architecture(model(1, norm_first=True), SOURCE, TARGET),
        lambda: architecture(model(6), SOURCE, TARGET),
        lambda: architecture(without_an_encoder(), SOURCE, TARGET),
        lambda: norm_places(layers(after=False, before=True), X),
        lambda: norm_places({"norm after, the longest title": model().decoder[0]}, X, torch.zeros(1, 7, 12)),
        lambda: norm_places({"norm before": model(norm_first=True).decoder[0]}, X, torch.zeros(1, 7, 12)),
    ],
)
def test_every_text_is_readable(draw):
    assert faults(draw()) == []


# architecture


def test_the_whole_model_is_drawn_with_its_shapes():
    picture = architecture(model(), SOURCE, TARGET)
    assert picture.alt == (
        "A Transformer, from the bottom to the top. Encoder, at the left: the source, ids (2, 5), become "
        "embeddings with positions, (2, 5, 12); then 2 layers of self-attention and feed-forward; then a norm. "
        "The result is the memory, (2, 5, 12). Decoder, at the right: the target, ids (2, 4), become embeddings "
        "with positions, (2, 4, 12); then 2 layers of masked self-attention, cross-attention and feed-forward; "
        "then a norm. An arrow leads from the memory into 2 of 2 decoder layers. Last, the table of the target's "
        "embedding gives the scores, (2, 4, 9)."
    )
    drawn = texts(picture)
    assert [drawn.count(f"decoder layer {k}") for k in range(3)] == [1, 1, 0]
    assert drawn.count("self-attention") == drawn.count("masked self-attention") == drawn.count("cross-attention") == 2
    assert {"source (2, 5), ids", "target (2, 4), ids", "scores (2, 4, 9)", "times the same table"} <= set(drawn)


def test_sublayers_stand_in_the_order_in_which_they_ran():
    axes = architecture(model(1), SOURCE, TARGET).figure.axes[0]
    height = {text.get_text(): -text.get_position()[1] for text in axes.texts}
    order = [
        "target (2, 4), ids",
        "masked self-attention",
        "cross-attention",
        "times the same table",
        "scores (2, 4, 9)",
    ]
    assert sorted(order, key=height.__getitem__) == order


def test_a_model_with_another_structure_is_another_picture():
    assert (
        "then no layer; then a norm. The result is the memory" in architecture(without_an_encoder(), SOURCE, TARGET).alt
    )
    deaf = Deaf(11, 9, d_model=12, n_heads=6, n_layers=2, d_hidden=48)
    assert "into 1 of 2 decoder layers" in architecture(deaf, SOURCE, TARGET).alt
    untied = architecture(Untied(11, 9, d_model=12, n_heads=6, n_layers=2, d_hidden=48), SOURCE, TARGET)
    assert "a matrix of its own gives the scores" in untied.alt and "times another matrix" in texts(untied)


def test_of_many_layers_the_first_and_the_last_are_drawn():
    drawn = texts(architecture(model(6), SOURCE, TARGET))
    assert [name for name in drawn if name.startswith("decoder layer")] == ["decoder layer 0", "decoder layer 5"]
    assert drawn.count("\N{HORIZONTAL ELLIPSIS} 4 layers like these") == 2


def test_drawing_leaves_the_model_as_it_was():
    drawn = model(dropout=0.5)
    drawn.encoder[0].eval()
    modes = [module.training for module in drawn.modules()]
    architecture(drawn, SOURCE, TARGET)
    assert [module.training for module in drawn.modules()] == modes
    assert not any(module._forward_hooks for module in drawn.modules())


def test_a_model_without_these_parts_is_refused():
    with pytest.raises(ValueError, match="but has no source_embedding, encoder, encoder_norm, target_embedding"):
        architecture(LanguageModel(9), SOURCE, TARGET)


# norm_places


def test_a_norm_stands_where_it_ran():
    picture = norm_places(layers(after=False, before=True), X)
    assert picture.alt == (
        "Layers from the bottom to the top. An upright line is the way of x, beside it stand the sublayers, and what "
        "each gives is added to the line. after: self-attention and feed-forward; each norm is on the line, after the "
        "sum. before: self-attention and feed-forward; each norm is beside the line, before its sublayer."
    )
    axes = picture.figure.axes[0]
    places = [text.get_position()[0] for text in axes.texts if text.get_text() == "norm"]
    line_of_x = [text.get_position()[0] for text in axes.texts if text.get_text() == "x"]
    assert places[:2] == [pytest.approx(line_of_x[0])] * 2 and min(places[2:]) > line_of_x[1] + 1
    assert {"norm(x + sublayer(x))", "x + sublayer(norm(x))"} <= set(texts(picture))


def test_the_memory_leads_into_the_sublayer_that_reads_it():
    picture = norm_places({"decoder": model().decoder[0]}, X, torch.zeros(1, 7, 12))
    assert picture.alt.endswith(
        "decoder: masked self-attention, cross-attention and feed-forward; each norm is on the line, after the sum; "
        "cross-attention reads the memory."
    )
    assert texts(picture).count("memory") == 1
    assert "memory" not in texts(norm_places(layers(encoder=True), X))


def test_a_layer_that_lacks_a_norm_is_refused():

    class Bare(nn.Module):
        def __init__(self):
            super().__init__()
            self.feed_forward = nn.Linear(12, 12)

        def forward(self, x):
            return x + self.feed_forward(x)

    with pytest.raises(ValueError, match=r"each sublayer must have one norm, .* but what ran is feed-forward"):
        norm_places({"bare": Bare()}, X)
    with pytest.raises(ValueError, match="layers must be a dictionary of one or two"):
        norm_places({}, X)
